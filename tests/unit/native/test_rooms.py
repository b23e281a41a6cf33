"""The folders of the native core: each uses only those before it, and none is a heap of files."""

import re
from pathlib import Path

NATIVE = Path(__file__).resolve().parents[3] / "native"
ROOMS = [
    "base",
    "model",
    "formula",
    "contexts",
    "levels",
    "paths",
    "proofs",
    "symbolic",
    "check",
    "onthefly",
    "games",
    "pushdown",
    "smv",
]


def included(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_rooms_are_these():
    assert sorted(path.name for path in (NATIVE / "core").iterdir()) == sorted(ROOMS)


def test_a_room_uses_only_rooms_before_it():
    late = [
        f"{path.relative_to(NATIVE)} includes {other}"
        for path in sorted(NATIVE.glob("core/*/*.?pp"))
        for other in included(path)
        if other.split("/")[0] != "core"
        or ROOMS.index(other.split("/")[1]) > ROOMS.index(path.parent.name)
    ]
    assert late == []


def test_the_checker_of_certificates_shares_only_the_model_and_bit_sets():
    used = {other for path in NATIVE.glob("verify/*.?pp") for other in included(path)}
    assert {other for other in used if not other.startswith("verify/")} == {
        "core/base/bits.hpp",
        "core/model/model.hpp",
    }


def test_no_folder_has_more_than_20_files():
    folders = [path for path in NATIVE.rglob("*") if path.is_dir()]
    crowded = {
        str(folder): count
        for folder in folders
        if (count := sum(path.is_file() for path in folder.iterdir())) > 20
    }
    assert crowded == {}


def test_libraries_are_built_from_all_files():
    listed = set(
        re.findall(r"native/[\w/]+\.cpp", (NATIVE.parent / "CMakeLists.txt").read_text("utf-8"))
    )
    there = {path.relative_to(NATIVE.parent).as_posix() for path in NATIVE.rglob("*.cpp")}
    assert listed == there
