"""Prints the requirements of one dependency group of pyproject.toml, one a line."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
print("\n".join(project["dependency-groups"][sys.argv[1]]))
