"""The Java models that RSMCheck published: they load, quickly, and with these counts."""

from __future__ import annotations

import time
import zipfile
from functools import cache
from pathlib import Path

import pytest

from pigro import RSM, ModelError, check_all, load, save
from pigro.diagnostics import render_error
from pigro.formats import rsm_json
from pigro.logic.files import read_formula_file

REPOSITORY = Path(__file__).resolve().parents[3]
BENCHMARKS = REPOSITORY.parent / "shared" / "benchmarks"

pytestmark = pytest.mark.skipif(
    not BENCHMARKS.is_dir(), reason=f"the benchmark models are not in {BENCHMARKS}"
)


@cache
def content(name: str) -> bytes:
    with zipfile.ZipFile(BENCHMARKS / "java" / f"{name}.zip") as archive:
        (member,) = (each for each in archive.namelist() if each.endswith(".rsm"))
        return archive.read(member)


@cache
def model(name: str) -> RSM:
    return rsm_json.read(content(name), source=f"{name}.rsm")


KEYS = (
    "components", "nodes", "edges", "boxes", "calls", "returns", "entries", "exits", "most_exits",
    "entry_exits", "labels", "recursive_components", "unreachable_components", "dead_plain",
    "dead_return", "dead_missing",
)  # fmt: skip
COUNTS = {
    "dataflow": (3, 17, 16, 2, 1, 2, 3, 5, 3, 1, 24, 0, 0, 0, 0, 0),
    "avroraReg": (173, 3375, 5524, 699, 658, 1795, 173, 517, 33, 17, 4648, 19, 0, 0, 0, 0),
    "avroraMedTest": (238, 4710, 7323, 963, 910, 2128, 238, 691, 42, 22, 6612, 15, 6, 2, 0, 0),
    "avroraELF": (248, 5927, 9145, 1166, 1078, 2795, 248, 1005, 93, 27, 7933, 15, 0, 0, 0, 0),
    "fop2pdf": (607, 16281, 32234, 4982, 4202, 12193, 607, 2276, 85, 93, 20457, 40, 6, 13, 0, 0),
    "dom2pdf": (615, 17064, 33890, 5278, 4375, 12857, 615, 2405, 85, 88, 21341, 41, 10, 14, 0, 0),
}
DEAD_CALLS = {  # boxes that call an entry-exit node, which the rsmcheck reading cuts off
    "dataflow": 1,
    "avroraReg": 41,
    "avroraMedTest": 53,
    "avroraELF": 88,
    "fop2pdf": 780,
    "dom2pdf": 903,
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str):
    found = model(name).statistics
    assert tuple(getattr(found, key) for key in KEYS) == COUNTS[name]
    assert found.dead_call == 0


@pytest.mark.parametrize("name", COUNTS)
def test_the_published_reading(name: str):
    standard = model(name)
    published = rsm_json.read(content(name), semantics="rsmcheck")
    found = published.statistics
    assert found.dead_call == DEAD_CALLS[name]
    assert found.calls == standard.statistics.calls
    assert published.core.nodes == standard.core.nodes + DEAD_CALLS[name]
    assert published.dead_ends == "stop"


@pytest.mark.parametrize("name", ["dataflow", "avroraReg", "fop2pdf"])
def test_round_trip(name: str):
    first = rsm_json.write(model(name))
    copy = rsm_json.read(first)
    assert copy.statistics == model(name).statistics
    assert rsm_json.write(copy) == first


@pytest.mark.parametrize(
    ("name", "text", "recursive"),
    [
        ("example", "<RSM: 2 components, 7 nodes, 7 edges, 1 box>", 0),
        ("simple", "<RSM: 2 components, 4 nodes, 4 edges, 1 box>", 0),
        ("test", "<RSM: 2 components, 10 nodes, 12 edges, 3 boxes>", 2),
    ],
)
def test_small_examples(name: str, text: str, recursive: int):
    found = load(BENCHMARKS / "rsmcheck" / f"{name}.rsm")
    assert repr(found) == text
    assert found.statistics.recursive_components == recursive
    assert found.statistics.dead_ends == 0


@pytest.mark.long
def test_an_error_at_the_end_of_sixteen_megabytes_is_found():
    data = content("dom2pdf")
    at = data.rindex(b'"box_name": "') + len(b'"box_name": "')
    began = time.process_time()
    with pytest.raises(ModelError) as caught:
        rsm_json.read(data[:at] + b"x" + data[at:])
    seconds = time.process_time() - began
    print(f"an error in dom2pdf.rsm: {seconds:.2f} s")
    place = caught.value.position
    assert (caught.value.code, place.line) == ("P204", 1)
    assert place.column == len(data[: at - 1].decode()) + 1
    assert len(render_error(caught.value)) < 1000
    assert seconds < 60


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.* labels are on no node")
def test_a_pushdown_system_has_the_verdicts_of_the_reading_it_was_written_with(tmp_path):
    """41 boxes of avroraReg call an entry-exit node: a step, or a dead end for `rsmcheck`."""
    with zipfile.ZipFile(BENCHMARKS / "java" / "avroraReg.zip") as archive:
        archive.extractall(tmp_path)
    formulas = [each for _, each in read_formula_file(tmp_path / "avroraReg_usedef.ctl")]

    def failing(path: Path, **options: str) -> int:
        return sum(each.holds is False for each in check_all(load(path, **options), formulas))

    source = tmp_path / "avroraReg.pdmu"
    assert failing(source) == failing(source, format="pdmu:single") == 91
    assert failing(source, semantics="rsmcheck") == 9
    for written, fail in (("standard", 91), ("rsmcheck", 9)):
        save(load(source, semantics=written), tmp_path / "again.pds")
        for read in ("standard", "rsmcheck"):
            assert failing(tmp_path / "again.pds", semantics=read) == fail
