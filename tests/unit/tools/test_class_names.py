"""No two classes of the package share a name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pigro

ROOT = Path(pigro.__file__).parent


def shared_names():
    """Each name that several classes have, with their modules."""
    found = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(path.relative_to(ROOT)))
    return {name: homes for name, homes in found.items() if len(homes) > 1}


def test_a_class_has_a_name_of_its_own():
    shared = shared_names()
    lines = "\n".join(f"{name}: {', '.join(homes)}" for name, homes in shared.items())
    assert not shared, lines
