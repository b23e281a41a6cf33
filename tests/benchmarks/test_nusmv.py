"""NuSMV beside Pigro, in the suite smv. The real one is never here: a program of ours answers."""

import sys

import pytest

from benchmarks.case import Case
from benchmarks.drivers.nusmv import check_file, version_of
from benchmarks.drivers.peers import find_peers, versions
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES, smv
from pigro.diagnostics import UsageError
from pigro.engines import Limits

LIMITS = Limits(60)
SCRIPT = """#!{python}
import sys
if sys.argv[1:] == ["-help"]:
    print("*** This is NuSMV 2.6.0 (compiled for a test)")
    sys.exit(2)
specs = [line[5:].strip() for line in open(sys.argv[1]) if line.startswith("SPEC ")]
{behaviour}
"""
ANSWERS = """
for number, spec in enumerate(specs):
    print(f"-- specification {spec} is {'true' if number < HOLD else 'false'}")
    print("-- as demonstrated by the following execution sequence")
"""


@pytest.fixture
def program(tmp_path):
    def make(behaviour):
        path = tmp_path / "NuSMV"
        path.write_text(SCRIPT.format(python=sys.executable, behaviour=behaviour))
        path.chmod(0o755)
        return str(path)

    return make


def scope(path):
    peers = find_peers([f"nusmv={path}"])
    return StudyScope(
        quick=True, peers=peers, versions=tuple(versions(peers).items()), limits=LIMITS
    )


def test_it_takes_part_in_the_suite_smv(program):
    where = scope(program(ANSWERS.replace("HOLD", "241")))
    assert dict(where.versions) == {"nusmv": "2.6.0"}
    cases = [case for case in SUITES["smv"].cases(where) if case.runner == "nusmv"]
    assert [case.number("size") for case in cases] == [500, 1_000]
    assert {case.edition for case in cases} == {"2.6.0"}
    found = SUITES["smv"].run(cases[0], where)
    assert (found.word, found.details["hold"], found.details["formulas"]) == ("done", 241, 450)


def test_other_answers_are_told(program):
    where = scope(program(ANSWERS.replace("HOLD", "240")))
    found = SUITES["smv"].run(Case.of("smv", "nusmv", file="module", size=500), where)
    assert (found.word, found.problem) == ("wrong", "240 formulas hold, not 241")


def test_missing_answers_and_crashes(program):
    text = smv.text_of("module", 500)
    found = check_file(program("print('-- specification EF p is true')"), text, 450, LIMITS)
    assert found.word == "error"
    assert "1 of 450 answers" in found.problem
    found = check_file(program("sys.exit('out of memory')"), text, 450, LIMITS)
    assert (found.word, found.problem) == ("error", "0 of 450 answers: out of memory")


def test_a_program_that_is_not_there(tmp_path):
    assert version_of(str(tmp_path / "none")) is None
    with pytest.raises(UsageError) as caught:
        find_peers([f"nusmv={tmp_path / 'none'}"])
    assert caught.value.code == "P006"
