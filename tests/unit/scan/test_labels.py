"""The labels of the study: docs/study/scan-labels.json."""

import json
from pathlib import Path

from pigro.rules import built_in

HOME = Path(__file__).resolve().parents[3]
READ = json.loads((HOME / "docs/study/scan-labels.json").read_text("utf-8"))
LABELS = READ["findings"]


def test_each_label_is_well_formed():
    rules = built_in()
    for each in LABELS:
        assert list(each) == ["package", "version", "file", "line", "rule", "label", "reason"]
        assert each["label"] in {"true", "false", "doubtful"}
        assert each["rule"] in rules
        assert type(each["line"]) is int
        assert each["line"] > 0
        assert not Path(each["file"]).is_absolute()
        assert len(each["reason"]) > len("same")


def test_a_place_has_one_label_and_labels_are_sorted():
    places = [
        (each["package"], each["version"], each["file"], each["line"], each["rule"])
        for each in LABELS
    ]
    assert places == sorted(set(places))


def test_packages_are_pinned():
    packages = READ["packages"]
    assert len(packages) >= 40
    assert all(packages[each["package"]] == each["version"] for each in LABELS)


def test_held_out_packages_are_told():
    rounds = READ["held_out"]
    names = [each for row in rounds.values() for each in row]
    assert len(names) == len(set(names))
    assert set(names) < READ["packages"].keys()
