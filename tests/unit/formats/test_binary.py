"""`.pigro` files: recognised, written, and equal to what they were made from."""

from __future__ import annotations

import zipfile
from dataclasses import replace

import pytest

from pigro import InputError, UsageError, check, kripke, load, save
from pigro.formats import binary, pdmu, pds, registry, rsm_json, smv
from pigro.formats.rsm_json import write as write_rsm

from support.samples.shared_files import benchmark, java

MODEL = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")
JAVA = ("dataflow", "avroraReg", "avroraMedTest", "avroraELF", "fop2pdf", "dom2pdf")


@pytest.mark.parametrize("name", ["m.pigro", "M.PIGRO", "m", "m.rsm", "m.bin"])
def test_found_by_content(name: str, tmp_path):
    save(MODEL, tmp_path / name, format="pigro")
    model = load(tmp_path / name)
    assert model == MODEL
    assert model.source == str(tmp_path / name)
    assert check(model, "AX p").holds


def test_names_that_look_like_other_formats():
    """The content of another format in a name does not make it that format."""
    odd = "x <y> --> z <>\nMODULE main\n{"
    data = binary.write(kripke({odd: [odd]}, labels={odd: [odd]}, initial=odd))
    for source in ("m.pigro", "m.bin", None):
        assert registry.format_of_content(data, source).name == "pigro"
    assert binary.read(data).names.nodes[0] == odd


def test_a_plug_in_is_not_looked_up(monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "_plug_ins", lambda: pytest.fail("looked up"))
    save(MODEL, tmp_path / "m.pigro")
    assert load(tmp_path / "m.pigro") == MODEL


def test_damaged(tmp_path):
    save(MODEL, tmp_path / "m.pigro")
    data = (tmp_path / "m.pigro").read_bytes()
    (tmp_path / "m.pigro").write_bytes(data[:-8])
    with pytest.raises(InputError) as caught:
        load(tmp_path / "m.pigro")
    assert caught.value.code == "P140"
    assert caught.value.position.source == str(tmp_path / "m.pigro")
    assert caught.value.hint == "make the file again with `pigro convert`"


def test_a_name_that_is_no_text(tmp_path):
    half = kripke({"\ud800": []}, labels={}, initial="\ud800")
    with pytest.raises(UsageError) as caught:
        save(half, tmp_path / "m.pigro")
    assert (caught.value.code, (tmp_path / "m.pigro").exists()) == ("P003", False)


@pytest.mark.parametrize("name", JAVA)
@pytest.mark.parametrize("semantics", ["standard", "rsmcheck"])
def test_java_programs(name: str, semantics: str):
    model = rsm_json.read(java(name, ".rsm"), semantics=semantics)
    copy = binary.read(binary.write(model), semantics=semantics)
    assert copy == model
    assert copy.statistics == model.statistics
    if name != "dom2pdf":
        assert write_rsm(copy) == write_rsm(model)


@pytest.mark.parametrize("name", [*JAVA, "avroraDisassemble", "avroraCFG"])
def test_java_programs_as_pushdown_systems(name: str):
    with zipfile.ZipFile(benchmark("java/all-pds.zip")) as archive:
        model = pds.read(archive.read(f"{name}.pds"))
    assert binary.read(binary.write(model)) == model


@pytest.mark.parametrize("name", JAVA)
def test_java_programs_of_another_tool(name: str):
    model = pdmu.read(java(name, ".pdmu"))
    assert binary.read(binary.write(model)) == model


@pytest.mark.long
def test_modules_of_nusmv():
    done = 0
    with zipfile.ZipFile(benchmark("nusmv/files.zip")) as archive:
        for name in archive.namelist():
            try:
                model = smv.read(archive.read(name))
            except InputError:
                continue  # some use more of the language than Pigro reads
            if not model.is_listed:
                continue  # too many states to write
            again = binary.read(binary.write(model), dead_ends=model.dead_ends)
            assert again == replace(model, conditions=None)
            done += 1
    assert done >= 5


def test_small_models():
    found = sorted(benchmark("rsmcheck").rglob("*.rsm"))
    assert len(found) >= 3
    for path in found:
        for semantics in ("standard", "rsmcheck"):
            model = load(path, semantics=semantics)
            assert binary.read(binary.write(model), semantics=semantics) == model


def test_a_model_whose_states_are_computed_on_demand(tmp_path):
    """18 variables have too many combinations of values to list states when the file is read."""
    bits = range(18)
    lines = ["MODULE main", "VAR", *(f"  b{at} : boolean;" for at in bits), "ASSIGN"]
    lines += [f"  init(b{at}) := FALSE; next(b{at}) := !b{at - 1 if at else 17};" for at in bits]
    (tmp_path / "big.smv").write_text("\n".join([*lines, "DEFINE p := b3 & !b4;"]))
    model = load(tmp_path / "big.smv")
    assert not model.is_listed
    save(model, tmp_path / "big.pigro")
    copy = load(tmp_path / "big.pigro")
    states = model.listed()
    assert (copy.digest, copy.names, copy.initial) == (states.digest, states.names, states.initial)
    assert copy.position(0).file == str(tmp_path / "big.smv")
    assert check(copy, "EF p").holds is check(model, "EF p").holds
