"""The wheel that `make wheel` makes works where there is no compiler."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import click
import msgspec
import pathspec
import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILT = sorted((ROOT / "build" / "wheel").glob("pigro-*.whl"))


@pytest.fixture(scope="module")
def repaired(tmp_path_factory):
    if not BUILT:
        pytest.skip("there is no wheel in build/wheel: `make test` builds one")
    pytest.importorskip("auditwheel", reason="auditwheel is not installed: `make test` installs it")
    out = tmp_path_factory.mktemp("dist")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", out, BUILT[-1]]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"PATH": path})
    return next(out.iterdir())


def test_its_name_says_on_which_systems_it_runs(repaired):
    assert "-manylinux_2_" in repaired.name


def test_it_is_installed_and_checks_without_a_compiler(repaired, tmp_path):
    venv.create(tmp_path / "new", with_pip=True, symlinks=True)
    programs = tmp_path / "new" / "bin"
    bare = {"PATH": str(programs), "HOME": str(tmp_path)}
    assert all(shutil.which(each, path=bare["PATH"]) is None for each in ("cc", "g++", "cmake"))
    install = [programs / "python", "-m", "pip", "install", "--no-index", "--no-deps", repaired]
    subprocess.run(install, check=True, capture_output=True, env=bare)
    # What Pigro depends on comes from here. Its own folder stands before this one on the path.
    site = next((tmp_path / "new" / "lib").glob("python*/site-packages"))
    folders = {str(Path(each.__file__).parents[1]) for each in (click, msgspec, pathspec)}
    (site / "dependencies.pth").write_text("\n".join(folders), encoding="utf-8")

    where = [programs / "python", "-c", "import pigro; print(pigro.__file__)"]
    found = subprocess.run(where, check=True, capture_output=True, text=True, env=bare)
    assert Path(found.stdout).is_relative_to(site)

    model = ROOT / "examples" / "dataflow.rsm"
    check = [programs / "pigro", "check", model, "AG (def_i -> EF use_i)"]
    found = subprocess.run(check, capture_output=True, text=True, env=bare)
    assert (found.returncode, found.stdout.split()[0]) == (1, "fails")
