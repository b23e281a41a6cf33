"""Drawings: what is in them, and that names can't break out of them."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import pigro
from pigro.formats import dot, svg

ODD = ["", "\x00\x1b[31m", '"\\', "\u2028", "\U0001f600", "<b>&amp;", "\\N", "a|b{}", "\ud800"]
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def odd_model():
    model = pigro.ModelBuilder()
    part = model.component('co{|"')
    for name in ODD:
        part.node(name, entry=True, labels=[f"{name}!"])
    box = part.box("b <\\|>", calls='co{|"')
    for name in ODD:
        part.edge(ODD[0], box.call(name))
    return model.build(initial='co{|":')


def test_a_drawing():
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("in", labels=["p", "in"])
    main.exit("out")
    box = main.box("b", calls=main)
    main.edge("in", "out", box.call("in"))
    main.edge(box.returned("out"), "out")
    lines = dot.write(model.build(initial="main:in")).decode().splitlines()[4:]
    assert lines == [
        "  subgraph cluster_0 {",
        '    label="main";',
        '    n0 [penwidth=2, style=filled, fillcolor=lightyellow, label="in\\np"];',
        '    n1 [peripheries=2, label="out"];',
        '    b0 [shape=record, style=filled, fillcolor=gray95, label="{{<p2> in}|b:\\ main|{<p3> out}}"];',
        "    n0 -> n1;",
        "    n0 -> b0:p2;",
        "    b0:p3 -> n1;",
        "  }",
        "  b0:p2 -> n0 [style=dashed, color=gray50, constraint=false];",
        "}",
    ]


def test_each_box_is_drawn_once():
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("in")
    main.exit("out")
    one, two, _ = (main.box(name, calls=main) for name in ("one", "two", "unused"))
    main.edge("in", one.call("in"))
    main.edge(one.returned("out"), two.call("in"))
    main.edge(two.returned("out"), "out")
    text = dot.write(model.build(initial="main:in")).decode()
    assert [text.count(f"    b{box} [") for box in range(3)] == [1, 1, 1]
    assert text.count(" -> ") == 3 + 2


def test_names_stay_inside_their_quotes():
    for drawn in (dot.write(odd_model()), dot.draw_calls(odd_model())):
        text = STRING.sub("S", drawn.decode())
        assert '"' not in text
        assert "\\" not in text
        assert text.isascii()


def test_wide_boxes_have_few_ports():
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("in")
    many = [f"x{number}" for number in range(1000)]
    for name in many:
        main.exit(name)
    box = main.box("b", calls=main)
    main.edge("in", box.call("in"))
    for name in many:
        main.edge(box.returned(name), "in")
    text = dot.write(model.build(initial="main:in")).decode()
    assert "and\\ 984\\ more" in text
    assert text.count(" b0 -> n0;") == 984


def test_large_drawings_are_laid_out_in_a_hurry():
    model = pigro.ModelBuilder()
    for number in range(1001):
        model.component(f"c{number}").node("n")
    assert b"mclimit" in dot.draw_calls(model.build(initial="c0:n"))
    assert b"mclimit" not in dot.write(odd_model())


def test_drawing_is_quiet_and_survives(capfd):
    pytest.importorskip("pygraphviz")
    for _ in range(3):
        assert svg.write(odd_model()).rstrip().endswith(b"</svg>")
    assert capfd.readouterr() == ("", "")


def test_what_graphviz_can_not_read():
    pytest.importorskip("pygraphviz")
    with pytest.raises(pigro.UsageError) as caught:
        svg.draw(b"digraph {")
    assert caught.value.code == "P010"
    assert caught.value.message.startswith("Graphviz can't draw this: ")


def test_svg_shows_names_as_they_are():
    pytest.importorskip("pygraphviz")
    shown = [
        element.text
        for element in ET.fromstring(svg.write(odd_model())).iter(
            "{http://www.w3.org/2000/svg}text"
        )
    ]
    assert 'b <\\|>: co{|"' in shown
    assert {'"\\', "<b>&amp;", "\\N", "a|b{}", "\\ud800"} <= set(shown)
