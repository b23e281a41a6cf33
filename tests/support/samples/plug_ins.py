"""A format of another package, for tests: the code of its module, and a way to install it."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

TOGGLE = """
    from pigro import kripke
    from pigro.formats import Requirement
    from pigro.logic import parse

    suffixes = (".toggle",)
    description = "two states, by their names"

    def sniff(head):
        return head.startswith(b"toggle")

    def read(data, *, source, semantics, dead_ends):
        _, one, two = data.decode().split()
        return kripke(
            {one: [two], two: [one]}, labels={one: [one], two: [two]}, initial=one,
            dead_ends=dead_ends,
        )

    def write(model):
        one, two = model.names.nodes
        return f"toggle {one} {two}\\n".encode()

    def requirements(data, *, source):
        _, one, two = data.decode().split()
        return [
            Requirement(f"SPEC {one}", parse(one), None, 1),
            Requirement(f"SPEC {two}", parse(two), (1,), 1),
            Requirement(f"SPEC {one} again", parse(one), (1,), 1),
        ]

    def use_def(data, *, source):
        _, one, two = data.decode().split()
        return [(name, parse(f"AG ({name} -> EF (!{name} | used_{name}))")) for name in (one, two)]
"""


def install_plug_in(folder, monkeypatch, code, *points):
    """Makes an installed package of one module, toggle_plugin, with these entry points."""
    site = Path(folder) / "site"
    info = site / "toggle_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "toggle_plugin.py").write_text(textwrap.dedent(code))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toggle_plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pigro.formats]\n" + "\n".join(points) + "\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, "toggle_plugin", raising=False)
