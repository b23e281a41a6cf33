"""`pigro compose --refine`: example 5.11 of [Shoham2010] on the command line."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ANSWERED = str(EXAMPLES / "answered.parts")


def rounds_of(run, *options):
    result = run("compose", ANSWERED, *options, "--format", "json")
    assert result.exit_code == 0
    (told,) = json.loads(result.stdout)["results"]
    assert told["verdict"] == "holds"
    return told["rounds"]


def test_example_5_11(run):
    """A step that all states of a block have, then a label of a block. The second part decides."""
    first, second, third = rounds_of(run, "--method", "refine-one", "--refine", "one")
    (doubt,) = first["findings"]
    assert (doubt["part"], doubt["block"], doubt["target"]) == ("m2", "t1+1", "t1+1")
    assert doubt["split"] is False
    (doubt,) = second["findings"]
    assert (doubt["part"], doubt["block"], doubt["label"]) == ("m2", "t0", "i")
    assert doubt["split"] is False
    assert third["layers"][-1]["parts"] == ["m2"]
    assert [len(each["layers"]) for each in (first, second, third)] == [3, 3, 2]


def test_many_causes_split_a_block(run):
    rounds = rounds_of(run, "--method", "refine-one")
    assert sum(doubt["split"] for each in rounds for doubt in each["findings"]) == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--refine", "one"), "method concrete has no --refine"),
        (("--method", "refine", "--refine", "two"), "'two' is not one of 'many', 'one'"),
    ],
)
def test_refused(run, options, told):
    result = run("compose", ANSWERED, *options)
    assert result.exit_code == 2
    assert told in result.stderr
