"""What is wrong with an `.rsm` file, and where: code, path, line and column, message, hint."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from pigro import InputError, ModelError
from pigro.formats import model_json, rsm_json

# One value a line, so that a line number says which one.
GOOD = {
    "initial_component": "main",
    "initial_node": "start",
    "components": [
        {
            "name": "main",
            "nodes": [
                {"name": "start", "is_entry": True, "labels": ["p"]},
                {"name": "end", "is_exit": True},
            ],
            "boxes": [
                {
                    "name": "call",
                    "component": "sub",
                    "call_nodes": ["in"],
                    "return_nodes": ["out"],
                }
            ],
            "transitions": [
                {
                    "source": {"type": "node", "name": "start"},
                    "targets": [{"type": "box_node", "box_name": "call", "node_name": "in"}],
                },
                {
                    "source": {"type": "box_node", "box_name": "call", "node_name": "out"},
                    "targets": [{"type": "node", "name": "end"}],
                },
            ],
        },
        {
            "name": "sub",
            "nodes": [{"name": "in", "is_entry": True}, {"name": "out", "is_exit": True}],
            "transitions": [
                {
                    "source": {"type": "node", "name": "in"},
                    "targets": [{"type": "node", "name": "out"}],
                }
            ],
        },
    ],
}
GONE = object()
REFERENCE = (
    'a reference is {"type": "node", "name": ...} or '
    '{"type": "box_node", "box_name": ..., "node_name": ...}'
)


def changed(*path_and_value: object) -> str:
    *path, last, value = path_and_value
    model = deepcopy(GOOD)
    at = model
    for part in path:
        at = at[part]
    if value is GONE:
        del at[last]
    elif isinstance(at, list) and last == len(at):
        at.append(value)
    else:
        at[last] = value
    return json.dumps(model, indent=1)


def pointed_at(text: str, error: InputError | ModelError) -> str:
    """The rest of the line from where the error points."""
    place = error.position
    return text.split("\n")[place.line - 1][place.column - 1 :].rstrip(",")


def error_of(text: str | bytes, **options: str) -> InputError | ModelError:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises((InputError, ModelError)) as caught:
        rsm_json.read(data, source="some.rsm", **options)
    assert caught.value.position.source == "some.rsm"
    return caught.value


def test_the_good_one_is_good():
    model = rsm_json.read(json.dumps(GOOD).encode())
    assert repr(model) == "<RSM: 2 components, 4 nodes, 3 edges, 1 box>"


MAIN, SUB = ("components", 0), ("components", 1)
SHAPES = [
    # change, path of the error, what stands there, message, hint
    (("initial_component", GONE), "$", "{", 'missing key "initial_component"', None),
    (("initial_node", GONE), "$", "{", 'missing key "initial_node"', None),
    (("components", GONE), "$", "{", 'missing key "components"', None),
    (
        ("initial_component", 3),
        "$.initial_component",
        "3",
        "expected a string, got a number",
        None,
    ),
    (
        ("initial_node", None),
        "$.initial_node",
        "null",
        "expected a string or a list, got null",
        None,
    ),
    (
        ("initial_node", ["start", 1.5]),
        "$.initial_node[1]",
        "1.5",
        "expected a string, got a number",
        None,
    ),
    (("components", {}), "$.components", "{}", "expected a list, got an object", None),
    (
        ("components", 1, "sub"),
        "$.components[1]",
        '"sub"',
        "expected an object, got a string",
        None,
    ),
    ((*SUB, "name", GONE), "$.components[1]", "{", 'missing key "name"', None),
    ((*SUB, "name", []), "$.components[1].name", "[]", "expected a string, got a list", None),
    ((*SUB, "nodes", None), "$.components[1].nodes", "null", "expected a list, got null", None),
    (
        (*MAIN, "nodes", 1, "name", GONE),
        "$.components[0].nodes[1]",
        "{",
        'missing key "name"',
        None,
    ),
    (
        (*MAIN, "nodes", 1, "is_exit", 1),
        "$.components[0].nodes[1].is_exit",
        "1",
        "expected true or false, got a number",
        None,
    ),
    (
        (*MAIN, "nodes", 0, "is_entry", "yes"),
        "$.components[0].nodes[0].is_entry",
        '"yes"',
        "expected true or false, got a string",
        None,
    ),
    (
        (*MAIN, "nodes", 0, "labels", "p"),
        "$.components[0].nodes[0].labels",
        '"p"',
        "expected a list, got a string",
        None,
    ),
    (
        (*MAIN, "nodes", 0, "labels", ["a", "b", False]),
        "$.components[0].nodes[0].labels[2]",
        "false",
        "expected a string, got true or false",
        None,
    ),
    (
        (*MAIN, "boxes", 0, "component", GONE),
        "$.components[0].boxes[0]",
        "{",
        'missing key "component"',
        None,
    ),
    (
        (*MAIN, "boxes", 0, "call_nodes", 0, {}),
        "$.components[0].boxes[0].call_nodes[0]",
        "{}",
        "expected a string, got an object",
        None,
    ),
    (
        (*MAIN, "boxes", 0, "return_nodes", None),
        "$.components[0].boxes[0].return_nodes",
        "null",
        "expected a list, got null",
        None,
    ),
    (
        (*SUB, "transitions", 0, "source", GONE),
        "$.components[1].transitions[0]",
        "{",
        'missing key "source"',
        None,
    ),
    (
        (*SUB, "transitions", 0, "source", "in"),
        "$.components[1].transitions[0].source",
        '"in"',
        "expected an object, got a string",
        None,
    ),
    (
        (*SUB, "transitions", 0, "source", "type", GONE),
        "$.components[1].transitions[0].source",
        "{",
        'missing key "type"',
        REFERENCE,
    ),
    (
        (*SUB, "transitions", 0, "source", "type", "nod"),
        "$.components[1].transitions[0].source.type",
        '"nod"',
        "invalid value 'nod'",
        REFERENCE,
    ),
    (
        (*SUB, "transitions", 0, "source", "type", 7),
        "$.components[1].transitions[0].source.type",
        "7",
        "expected a string",
        REFERENCE,
    ),
    (
        (*SUB, "transitions", 0, "source", "name", 7),
        "$.components[1].transitions[0].source.name",
        "7",
        "expected a string, got a number",
        None,
    ),
    (
        (*SUB, "transitions", 0, "source", "name", GONE),
        "$.components[1].transitions[0].source",
        "{",
        'missing key "name"',
        None,
    ),
    (
        (*SUB, "transitions", 0, "targets", 0, {"type": "node"}),
        "$.components[1].transitions[0].targets[0]",
        "{",
        'missing key "name"',
        None,
    ),
    (
        (*MAIN, "transitions", 1, "source", "node_name", GONE),
        "$.components[0].transitions[1].source",
        "{",
        'missing key "node_name"',
        None,
    ),
    (
        (*MAIN, "transitions", 1, "targets", None),
        "$.components[0].transitions[1].targets",
        "null",
        "expected a list, got null",
        None,
    ),
    (
        (*MAIN, "transitions", 0, "targets", 1, 5),
        "$.components[0].transitions[0].targets[1]",
        "5",
        "expected an object, got a number",
        None,
    ),
]


@pytest.mark.parametrize(("change", "path", "there", "message", "hint"), SHAPES)
def test_shapes(change: tuple, path: str, there: str, message: str, hint: str | None):
    text = changed(*change)
    error = error_of(text)
    assert (error.code, error.message, error.hint) == ("P103", message, hint)
    assert error.position.path == path
    assert pointed_at(text, error) == there


RULES = [
    # change, code, path, what stands there, message, hint
    (
        ("components", 1, "name", "main"),
        "P201",
        "$.components[1].name",
        '"main"',
        'two components are named "main"',
        None,
    ),
    (
        (*MAIN, "nodes", 1, "name", "start"),
        "P201",
        "$.components[0].nodes[1].name",
        '"start"',
        'two nodes of component "main" are named "start"',
        None,
    ),
    (
        (*MAIN, "boxes", 1, {"name": "call", "component": "sub"}),
        "P201",
        "$.components[0].boxes[1].name",
        '"call"',
        'two boxes of component "main" are named "call"',
        None,
    ),
    (
        ("initial_component", "mian"),
        "P202",
        "$.initial_component",
        '"mian"',
        'the initial component is "mian", which is not a component',
        'did you mean "main"?',
    ),
    (
        (*MAIN, "boxes", 0, "component", "subb"),
        "P202",
        "$.components[0].boxes[0].component",
        '"subb"',
        'box "call" of component "main" calls "subb", which is not a component',
        'did you mean "sub"?',
    ),
    (
        ("initial_node", "in"),
        "P203",
        "$.initial_node",
        '"in"',
        'initial node "in" is not a node of component "main"',
        None,
    ),
    (
        ("initial_node", ["start", "strat"]),
        "P203",
        "$.initial_node[1]",
        '"strat"',
        'initial node "strat" is not a node of component "main"',
        'did you mean "start"?',
    ),
    (
        (*MAIN, "transitions", 0, "source", "name", "strat"),
        "P203",
        "$.components[0].transitions[0].source.name",
        '"strat"',
        'component "main" has no node "strat"',
        'did you mean "start"?',
    ),
    (
        (*MAIN, "transitions", 0, "source", {"type": "node", "node": "strat"}),
        "P203",
        "$.components[0].transitions[0].source.node",
        '"strat"',
        'component "main" has no node "strat"',
        'did you mean "start"?',
    ),
    (
        (*SUB, "transitions", 0, "targets", 1, {"type": "node", "name": "end"}),
        "P203",
        "$.components[1].transitions[0].targets[1].name",
        '"end"',
        'component "sub" has no node "end"',
        None,
    ),
    (
        (*MAIN, "boxes", 0, "call_nodes", 1, "inn"),
        "P203",
        "$.components[0].boxes[0].call_nodes[1]",
        '"inn"',
        'box "call" of component "main": component "sub" has no node "inn"',
        'did you mean "in"?',
    ),
    (
        (*MAIN, "transitions", 0, "targets", 0, "box_name", "cal"),
        "P204",
        "$.components[0].transitions[0].targets[0].box_name",
        '"cal"',
        'component "main" has no box "cal"',
        'did you mean "call"?',
    ),
    (
        (*MAIN, "transitions", 1, "source", "box_name", "x"),
        "P204",
        "$.components[0].transitions[1].source.box_name",
        '"x"',
        'component "main" has no box "x"',
        None,
    ),
    (
        (*MAIN, "boxes", 0, "call_nodes", 0, "out"),
        "P205",
        "$.components[0].boxes[0].call_nodes[0]",
        '"out"',
        'box "call" of component "main": node "out" of component "sub" is not an entry',
        'set "is_entry" of the node, or take it off the list',
    ),
    (
        (*MAIN, "boxes", 0, "return_nodes", 1, "in"),
        "P206",
        "$.components[0].boxes[0].return_nodes[1]",
        '"in"',
        'box "call" of component "main": node "in" of component "sub" is not an exit',
        'set "is_exit" of the node, or take it off the list',
    ),
    (
        (*MAIN, "transitions", 0, "targets", 0, "node_name", "out"),
        "P207",
        "$.components[0].transitions[0].targets[0].node_name",
        '"out"',
        'box "call" of component "main" lists no call node "out"',
        'add it to "call_nodes" of the box',
    ),
    (
        (*MAIN, "transitions", 1, "source", "node_name", "in"),
        "P208",
        "$.components[0].transitions[1].source.node_name",
        '"in"',
        'box "call" of component "main" lists no return node "in"',
        'add it to "return_nodes" of the box',
    ),
    (
        (*SUB, "transitions", 0, "source", "name", "out"),
        "P209",
        "$.components[1].transitions[0].source.name",
        '"out"',
        'exit "out" of component "sub" has successors',
        "an exit only returns: continue from the return nodes of the boxes that call this "
        "component",
    ),
    (
        (*SUB, "transitions", 0, "source", {"type": "node", "node": "out"}),
        "P209",
        "$.components[1].transitions[0].source.node",
        '"out"',
        'exit "out" of component "sub" has successors',
        "an exit only returns: continue from the return nodes of the boxes that call this "
        "component",
    ),
    (
        ("initial_node", []),
        "P210",
        "$.initial_node",
        "[]",
        "the list of initial nodes is empty",
        None,
    ),
    (
        ("components", []),
        "P202",
        "$.initial_component",
        '"main"',
        'the initial component is "main", which is not a component',
        None,
    ),
    (  # components that nothing calls are looked at too
        ("components", 2, {"name": "dead", "boxes": [{"name": "b", "component": "gone"}]}),
        "P202",
        "$.components[2].boxes[0].component",
        '"gone"',
        'box "b" of component "dead" calls "gone", which is not a component',
        None,
    ),
]


@pytest.mark.parametrize(("change", "code", "path", "there", "message", "hint"), RULES)
def test_rules(change: tuple, code: str, path: str, there: str, message: str, hint: str | None):
    text = changed(*change)
    error = error_of(text)
    assert (error.code, error.message, error.hint) == (code, message, hint)
    assert error.position.path == path
    assert pointed_at(text, error) == there


SYNTAX = [
    # text, message, line, column
    ("", "the file is empty", 1, 1),
    (" \r\n\r\n ", "the file is empty", 3, 2),
    ('{"a": 1,\n "b" 2}', "expected ':'", 2, 6),
    ('{"é€𝄞": nul}', "invalid character", 1, 10),
    ('{"initial_component"', "the file ends in the middle of a value", 1, 21),
    ('{"a":\n\n', "the file ends in the middle of a value", 3, 1),
    ('{"a": "b}', "the file ends in the middle of a value", 1, 10),
    ("{'a': 1}", "object keys must be strings", 1, 2),
    ('{"a": 01}', "invalid number", 1, 8),
    ('{"a": "\\q"}', "invalid escaped character", 1, 9),
    (
        '{"initial_node": "\\ud800 abcdef"}',
        "unexpected end of escaped utf-16 surrogate pair",
        1,
        25,
    ),
    ('{"initial_node": "\\udc00"}', "invalid utf-16 surrogate pair", 1, 25),
    ('{"initial_node": "a\nb"}', "invalid character", 1, 20),
    (json.dumps(GOOD) + " x", "trailing characters", 1, len(json.dumps(GOOD)) + 2),
    ("hello", "invalid character", 1, 1),
]


@pytest.mark.parametrize(("text", "message", "line", "column"), SYNTAX)
def test_syntax(text: str, message: str, line: int, column: int):
    error = error_of(text)
    assert (error.code, error.message) == ("P101", f"not valid JSON: {message}")
    assert (error.position.line, error.position.column) == (line, column)


@pytest.mark.parametrize(
    ("data", "message", "line", "column"),
    [
        (b"\xff\xfe{\x00", "byte 0xff is not valid UTF-8 here", 1, 1),
        (b'{"a":\n "\xc3\xa9\xff"}', "byte 0xff is not valid UTF-8 here", 2, 4),
        (b'{"unknown": "\xed\xa0\x80"}', "byte 0xed is not valid UTF-8 here", 1, 14),
        (b'{"a": "\xc3', "byte 0xc3 is not valid UTF-8 here", 1, 8),
        (b'{"a": 1}\n\n # \xe9t\xe9', "byte 0xe9 is not valid UTF-8 here", 3, 4),
    ],
)
def test_utf8(data: bytes, message: str, line: int, column: int):
    error = error_of(data)
    assert (error.code, error.message) == ("P102", message)
    assert (error.position.line, error.position.column) == (line, column)


def test_shape_errors_before_broken_json_still_say_where():
    error = error_of('{"initial_component": 5,\n "x": [[[')
    assert (error.code, error.position.path) == ("P103", "$.initial_component")
    assert (error.position.line, error.position.column) == (1, 23)


def test_escaped_keys_are_found():
    error = error_of('{"initial\\u005fcomponent": 5, "x": ]')
    assert error.position.path == "$.initial_component"
    assert error.position.column == 28


def test_dead_ends_as_an_error():
    error = error_of(changed(*SUB, "transitions", []), dead_ends="error")
    assert error.code == "P211"
    assert error.message == "1 dead end; the first: sub:in (a node without successor)"


@pytest.mark.parametrize("read", [rsm_json.read, model_json.read])
def test_keys_given_twice(read):
    """The last one would win, and with it the verdict. Keys that are not known count too."""
    text = json.dumps(GOOD, indent=1)
    for first, second in (
        ('"name"', '"name": "other", "name"'),
        ('"components"', '"components": [], "\\u0063omponents"'),
        ('"initial_node"', '"initial_node": "x", "initial_node"'),
        ('"initial_node"', '"x": {"y": [{"z": 1, "z": 2}]}, "initial_node"'),
    ):
        assert first in text
        with pytest.raises(InputError) as caught:
            read(text.replace(first, second, 1).encode(), source="twice.rsm")
        error = caught.value
        assert error.code == "P106"
        assert error.position.source == "twice.rsm"
        assert error.position.line == text[: text.index(first)].count("\n") + 1
