"""Other tools: found, or told what to give."""

from __future__ import annotations

import sys

import pytest

from benchmarks.drivers.peers import find_peers, rsmcheck_at, versions
from pigro import UsageError

from support.processes.rsmcheck import TRUE, fake_rsmcheck


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    return fake_rsmcheck(tmp_path, monkeypatch, TRUE)


def test_rsmcheck_by_its_root_or_its_sources(checkout):
    for folder in (checkout, checkout / "src"):
        ((name, where),) = find_peers([f"rsmcheck={folder}@{sys.executable}"])
        assert name == "rsmcheck"
        assert rsmcheck_at(where) == (checkout / "src", sys.executable)


def test_rsmcheck_is_run_by_pypy_if_there_is_one(checkout, monkeypatch):
    (checkout / "bin").mkdir()
    (checkout / "bin" / "pypy3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(checkout / "bin"))
    ((_, where),) = find_peers([f"rsmcheck={checkout}"])
    assert where.endswith("/bin/pypy3")
    monkeypatch.setenv("PATH", str(checkout))
    ((_, where),) = find_peers([f"rsmcheck={checkout}"])
    assert where.endswith(f"@{sys.executable}")


def test_a_folder_may_have_the_sign_for_the_interpreter_in_its_name(
    checkout, tmp_path, monkeypatch
):
    (tmp_path / "a@b").mkdir()
    (checkout / "src").rename(tmp_path / "a@b" / "src")
    monkeypatch.setenv("PATH", "")
    ((_, where),) = find_peers([f"rsmcheck={tmp_path / 'a@b'}"])
    assert rsmcheck_at(where)[0] == tmp_path / "a@b" / "src"


def test_versions(checkout):
    peers = find_peers([f"rsmcheck={checkout}@{sys.executable}", "pymodelchecking"])
    number = ".".join(map(str, sys.version_info[:3]))
    told = versions(peers)
    assert told["rsmcheck"].startswith("sources ")
    assert told["rsmcheck"].endswith(f", CPython {number}")
    assert told["pymodelchecking"].endswith(f", CPython {number}")


def test_an_at_sign_in_the_name_of_a_python(tmp_path):
    assert rsmcheck_at(f"{tmp_path}@/opt/python@3/bin/pypy3") == (
        tmp_path,
        "/opt/python@3/bin/pypy3",
    )


@pytest.mark.parametrize(
    "given, message, hint",
    [
        ("moped", 'no other tool is called "moped"', "tools: rsmcheck, pymodelchecking, nusmv"),
        ("rsmchek=x", 'no other tool is called "rsmchek"', 'did you mean "rsmcheck"?'),
        ("rsmcheck", "the tool rsmcheck needs a folder", "give --peer rsmcheck=FOLDER"),
        ("rsmcheck=/no/where", "there is no folder /no/where", "give --peer rsmcheck=FOLDER"),
        ("rsmcheck=/tmp/..", "there is no rsmcheck.py in /tmp/..", "give --peer rsmcheck=FOLDER"),
        ("pymodelchecking=/no/python", "there is no Python /no/python", "pymodelchecking=PYTHON"),
        (
            "pymodelchecking=true",
            "/true can't import pyModelChecking",
            "pip install pyModelChecking",
        ),
    ],
)
def test_what_is_not_there(given, message, hint):
    with pytest.raises(UsageError) as caught:
        find_peers([given])
    assert caught.value.code == "P006"
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_an_interpreter_that_is_none(checkout, tmp_path):
    text = tmp_path / "python"
    text.write_text("no program")
    text.chmod(0o755)
    for given in (f"rsmcheck={checkout}@/no/python", f"rsmcheck={checkout}@{text}"):
        with pytest.raises(UsageError) as caught:
            find_peers([given])
        assert caught.value.code == "P006"


def test_rsmcheck_without_the_package_that_it_needs(checkout):
    (checkout / "packages" / "pyModelChecking.py").write_text("raise ImportError")
    with pytest.raises(
        UsageError, match="P006: .* can't import pyModelChecking, which RSMCheck needs"
    ):
        find_peers([f"rsmcheck={checkout}@{sys.executable}"])


def test_a_tool_twice(checkout):
    given = f"rsmcheck={checkout}@{sys.executable}"
    with pytest.raises(UsageError, match="P006: the tool rsmcheck is given twice"):
        find_peers([given, given])
