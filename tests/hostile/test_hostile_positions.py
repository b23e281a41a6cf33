"""Source positions of `.rsm` files that are anything: the model, or an error with a code and a place."""

from __future__ import annotations

import json
import random

import pytest
from msgspec.structs import replace

from pigro import PigroError, check, load
from pigro.evidence import evidence_for
from pigro.formats import rsm_json
from pigro.render.html import render_html
from pigro.render.summary import component_text, summary

from support.evidence.texts import evidence_text

JUNK = [
    None, True, 0, 1, 3, -1, 2**31 - 1, 2**31, 2**63, 2**64, 10**40, 1.5, 1e308, "", "1", "a.c",
    "/etc/passwd", "../../../../etc/passwd", "/dev/zero", "/proc/self/mem", "a\0b", "\x1b[2J", "<script>",
    "x" * 5000, [], [1], [0], [[1]], {}, {"line": 1}, [1, 2, 3, 4], [1, 2, 3, 4, 5], [9, 1, 2],
]  # fmt: skip


def document(dice: random.Random) -> dict[str, object]:
    def maybe(thing: dict[str, object]) -> dict[str, object]:
        for key, good in (("at", [dice.randrange(1, 5), 1]), ("file", "a.c")):
            if dice.random() < 0.7:
                thing[key] = good
            elif dice.random() < 0.3:
                thing[key] = dice.choice(JUNK)
                if key == "at" and dice.random() < 0.5:
                    thing[key] = [dice.choice(JUNK) for _ in range(dice.randrange(6))]
        return thing

    start = {"type": "node", "name": "start"}
    call = {"type": "box_node", "node_name": "start", "box_name": "b"}
    nodes = [maybe({"name": "start", "is_entry": True}), maybe({"name": "end", "labels": ["p"]})]
    boxes = [maybe({"name": "b", "component": "m", "call_nodes": ["start"]})]
    edges = [{"source": start, "targets": [{"type": "node", "name": "end"}, call]}]
    component = {"name": "m", "nodes": nodes, "boxes": boxes, "transitions": edges}
    return maybe(
        {"initial_component": "m", "initial_node": "start", "components": [maybe(component)]}
    )


@pytest.mark.parametrize("seed", range(400))
def test_any_positions(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_bytes(b"<script>\x1b\n\xff\n")
    data = json.dumps(document(random.Random(seed)), indent=1).encode()
    (tmp_path / "m.rsm").write_bytes(data)
    try:
        model = load("m.rsm")
    except PigroError as error:
        assert error.code in ("P103", "P223"), error
        assert error.position.line is not None
        assert str(error).isprintable()
        return
    again = rsm_json.read(rsm_json.write(model))
    assert again == model
    assert [again.position(n) for n in range(3)] == [model.position(n) for n in range(3)]
    verdict = check(model, "EF p", certify=True)
    evidence = evidence_for(model, verdict.certificate.to_bytes())
    shown = evidence_text(model, verdict.formula, evidence, 0, full=True)
    shown += summary(model) + component_text(model, 0)
    assert all(line.isprintable() for line in shown.split("\n"))
    assert "root:" not in shown
    page = render_html(model, [replace(verdict, evidence=evidence)]).decode()
    assert "root:x:" not in page
    assert page.count("<script") == 2
