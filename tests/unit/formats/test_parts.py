"""`.parts` files: what they say, what is wrong with them, and writing them back."""

import random
from array import array
from itertools import product
from pathlib import Path

import pytest

import pigro
from pigro import Composition, InputError, ModelError, Part, PartBuilder, PigroError, UsageError
from pigro.diagnostics import render_error
from pigro.formats.parts import (
    PartsFile,
    load_parts,
    parse,
    read_parts,
    save_parts,
    together,
    write_parts,
)

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
TWO = """\
# comment to the end of the line
part sender
  labels r, o                 # what it sees
  state s0 {} initial
  state s1 { r, o? }

  s0 -> s0, s1                # must
  s1 ~> s0                    # may only
part lossy
  actions send, recv
  state a {} initial
  a -send-> b
  b ~recv~> a
  b -tau-> b,a
  state b
compose lossy, sender
check AG (r -> EF o)          # a formula
check AG "#" | r#1
"""


def same(left: Part, right: Part) -> bool:
    return all(getattr(left, name) == getattr(right, name) for name in Part.__slots__)


def test_a_file_says_parts_what_to_compose_and_what_to_check():
    file = parse(TWO.encode(), source="two.parts")
    sender, lossy = file.parts
    wanted = (
        PartBuilder("sender", labels=["r", "o"])
        .state("s0", initial=True)
        .state("s1", "r", unknown=["o"])
        .step("s0", "s0")
        .step("s0", "s1")
        .step("s1", "s0", must=False)
        .build()
    )
    assert same(sender, wanted)
    wanted = (
        PartBuilder("lossy", actions=["send", "recv"])
        .state("a", initial=True)
        .state("b")
        .step("a", "b", "send")
        .step("b", "a", "recv", must=False)
        .step("b", "b", "tau")
        .step("b", "a", "tau")
        .build()
    )
    assert same(lossy, wanted)
    assert file.compose == ("lossy", "sender")
    assert [(each.text, each.line) for each in file.formulas] == [
        ("AG (r -> EF o)", 17),
        ('AG "#" | r#1', 18),
    ]
    assert file.formulas[0].formula == pigro.parse("AG (r -> EF o)")


def test_line_ends_tabs_and_a_byte_order_mark_do_not_matter():
    data = b"\xef\xbb\xbf" + TWO.replace("  ", "\t").replace("\n", "\r\n").encode()
    assert all(map(same, parse(data).parts, parse(TWO.encode()).parts))


def test_names_may_be_quoted_and_are_words_as_in_formulas():
    file = parse(
        'part "a part"\n  labels "x = 1", été, A\n'
        '  state "1" { "x = 1", été } initial\n state state.1 { A? }\n "1" -> state.1 , "1"\n'.encode()
    )
    (part,) = file.parts
    assert (part.name, part.states) == ("a part", ("1", "state.1"))
    assert part.labels_of(0) == ["x = 1", "été"]
    assert part.labels_of(1, 2) == ["A"]
    assert part.targets == array("i", [0, 1])


def test_states_are_numbered_by_their_own_lines():
    (part,) = parse(b"part p\nc -> b, a\nstate a\nstate b initial\nstate c\n").parts
    assert part.states == ("a", "b", "c")
    assert part.initial == (1,)
    assert [target for _, target, _ in part.steps_of(2)] == [0, 1]


ONE = "part one\n labels ready\n state first { ready } initial\n"
ACTING = "part one\n actions send\n state first initial\n"


@pytest.mark.parametrize(
    "text, code, place, words, hint",
    [
        ("", "P134", (1, None), "no part", "part NAME"),
        ("# nothing\n\n", "P134", (1, None), "no part", "part NAME"),
        ("state a {}", "P131", (1, 1), "none has begun", "part NAME"),
        ("part a", "P134", (1, 6), "has no state", "initial"),
        ("part a\nstate s", "P134", (1, 6), "no initial state", "initial"),
        ("part", "P130", (1, 5), "the end of the line", None),
        ("part a, b", "P130", (1, 9), "one name", None),
        ("part a b", "P130", (1, 8), '"b"', None),
        (ONE + "part one", "P132", (4, 6), "second part", None),
        (ONE + "stat s {}", "P130", (4, 6), "->", '"state"'),
        (ONE + "state first", "P132", (4, 7), "second state", None),
        (ONE + "state x { redy }", "P133", (4, 11), '"redy"', '"ready"'),
        (ONE + "state x { ready, ready? }", "P132", (4, 18), "both true and unknown", None),
        (ONE + "state x { ready", "P130", (4, 16), "or", None),
        (ONE + "state x { ready ready }", "P130", (4, 17), "or", None),
        (ONE + "state x {} inital", "P130", (4, 12), "initial", '"initial"'),
        (ONE + "state x {} initial initial", "P130", (4, 20), "end", None),
        (ONE + "state 1", "P130", (4, 7), '"1"', "quotes"),
        (ONE + 'state "1', "P130", (4, 7), "not closed", "quotes"),
        (ONE + "state a.", "P130", (4, 8), "end in", None),
        (ONE + "state x²", "P130", (4, 8), "²", None),
        (ONE + "state -> first", "P130", (4, 7), '"->"', "quote"),
        (ONE + "labels other", "P131", (4, 1), "before", None),
        (ONE + "first -> frist # x", "P133", (4, 10), '"frist"', '"first"'),
        (ONE + "first ->", "P130", (4, 9), "a state", None),
        (ONE + "first --> first", "P130", (4, 8), "an action", "a -> b"),
        (ONE + "first -> first first", "P130", (4, 16), '","', None),
        (ONE + "first -> first# x", "P130", (4, 17), '"x"', "blank before"),
        (ONE + "first -send-> first", "P135", (4, 8), "no actions", "actions send"),
        (ACTING + "first -> first", "P135", (4, 1), "has actions", "tau"),
        (ACTING + "first -sned-> first", "P133", (4, 8), '"sned"', '"send"'),
        (ACTING + "first -send~> first", "P130", (4, 12), "->", None),
        (ACTING + "first ~send-> first", "P130", (4, 12), "~>", None),
        ("part one\nactions tau", "P132", (2, 9), "tau", None),
        ("part one\nactions a, a", "P132", (2, 12), "twice", None),
        ("part one\nlabels a, a", "P132", (2, 11), "twice", None),
        ("part one\nlabels a,", "P130", (2, 10), "a label", None),
        (ONE + "compose one, one", "P132", (4, 14), "twice", None),
        (ONE + "compose one\ncompose one", "P131", (5, 1), "line 4", "leave"),
        (ONE + "  check AG (p", "P302", (4, 12), "not closed", ")"),
        (ONE + "check", "P305", (4, 1), "empty", None),
    ],
)
def test_mistakes_have_a_place_and_a_hint(text, code, place, words, hint):
    with pytest.raises(PigroError) as found:
        parse(text.encode(), source="one.parts")
    error = found.value
    assert error.code == code
    assert error.position.source == "one.parts"
    assert (error.position.line, error.position.column) == place
    assert place[1] is None or error.position.text == text.split("\n")[place[0] - 1]
    assert words in error.message
    assert (hint is None) == (error.hint is None)
    assert hint is None or hint in error.hint
    assert "one.parts" in render_error(error)


def at_random(rng, name, names):
    """A part with odd names."""
    atoms = rng.sample(names, rng.randrange(4))
    actions = rng.choice([None, (), rng.sample(names, 3)])
    states = rng.sample(names, rng.randrange(1, len(names)))
    steps = rng.randrange(12)
    low, high = (0, 1) if actions is None else (-1, len(actions))
    return Part.from_steps(
        name,
        states=states,
        initial=sorted(rng.sample(range(len(states)), rng.randrange(1, len(states) + 1))),
        atoms=atoms,
        values=bytes(rng.randrange(3) for _ in range(len(states) * len(atoms))),
        actions=actions,
        sources=[rng.randrange(len(states)) for _ in range(steps)],
        targets=[rng.randrange(len(states)) for _ in range(steps)],
        by=[rng.randrange(low, high) for _ in range(steps)],
        must=[rng.randrange(2) for _ in range(steps)],
    )


def test_written_files_are_read_back():
    names = [
        "a",
        "b1",
        "state",
        "part",
        "initial",
        "x = 1",
        'q"',
        "back\\",
        "",
        "é.é",
        "A",
        "#",
        "p?",
        "a-b",
    ]
    rng = random.Random(7)
    formulas = parse(TWO.encode()).formulas
    for _ in range(300):
        chosen = rng.sample(names, rng.randrange(1, 4))
        parts = tuple(at_random(rng, name, names) for name in chosen)
        file = PartsFile(parts, rng.choice([None, tuple(chosen)]), rng.choice([(), formulas]))
        again = parse(write_parts(file))
        assert all(map(same, again.parts, parts))
        assert again.compose == file.compose
        assert [each.formula for each in again.formulas] == [each.formula for each in file.formulas]


def test_a_name_with_a_line_break_is_not_written():
    part = PartBuilder("p").state("a\nb", initial=True).build()
    with pytest.raises(ModelError) as found:
        write_parts(PartsFile((part,)))
    assert found.value.code == "P215"


def test_saving_and_reading(tmp_path):
    path = tmp_path / "two.parts"
    save_parts(parse(TWO.encode()), path)
    file = read_parts(path)
    assert file.source == str(path)
    assert file.compose == ("lossy", "sender")


@pytest.mark.parametrize("name", ["handshake", "vending"])
def test_examples_compose_and_are_written_back(name):
    file = load_parts(str(EXAMPLES / f"{name}.parts"))
    parts, formulas = together([file])
    assert len(formulas) == 4
    assert Composition(parts).is_concrete
    assert all(map(same, parse(write_parts(file)).parts, file.parts))


def product_of(made):
    """The composition as a model, built step by step. All is concrete."""

    def after(state):
        if not made.has_actions:
            rows = [
                [target for _, target, _ in part.steps_of(at)]
                for part, at in zip(made.parts, state, strict=True)
            ]
            return [goal for goal in product(*rows) if agree(goal)]
        goals = []
        for action in ("tau", *made.actions):
            rows = [
                [goal for by, goal, _ in part.steps_of(at) if part.action_name(by) == action]
                for part, at in zip(made.parts, state, strict=True)
            ]
            if action == "tau":
                goals += [
                    (*state[:at], goal, *state[at + 1 :])
                    for at, row in enumerate(rows)
                    for goal in row
                ]
            else:
                takes = [action in part.actions for part in made.parts]
                goals += product(
                    *(
                        row if here else [at]
                        for row, here, at in zip(rows, takes, state, strict=True)
                    )
                )
        return goals

    def labels(state):
        return {
            label
            for part, at in zip(made.parts, state, strict=True)
            for label in part.labels_of(at)
        }

    def agree(state):
        here = labels(state)
        return all(
            here.isdisjoint(part.labels_of(at, 0))
            for part, at in zip(made.parts, state, strict=True)
        )

    steps = {}
    waiting = list(made.initial)
    for state in waiting:  # grows
        if state not in steps:
            steps[state] = after(state)
            waiting += steps[state]
    name = made.name_of
    return pigro.kripke(
        {name(state): dict.fromkeys(map(name, goals)) for state, goals in steps.items()},
        labels={name(state): labels(state) for state in steps},
        initial=map(name, made.initial),
    )


@pytest.mark.parametrize("name", ["handshake", "vending"])
def test_formulas_of_examples_have_the_verdicts_that_their_comments_say(name):
    path = EXAMPLES / f"{name}.parts"
    lines = path.read_text(encoding="utf-8").split("\n")
    parts, formulas = together([load_parts(str(path))])
    model = product_of(Composition(parts))
    for each in formulas:
        said = lines[each.line - 1].partition("# ")[2].partition(":")[0]
        assert pigro.check(model, each.formula).outcome == said, each.text


@pytest.mark.parametrize(
    "text, word",
    [
        ("AG (is_sending -> AF ack)", "holds"),
        ('AG ("state = sending" -> AF "state = ready")', "holds"),
        ("AG (ack -> message)", "holds"),
        ("AF message", "fails"),
    ],
)
def test_sender_and_receiver_do_together_what_none_can_do_alone(text, word):
    files = [load_parts(str(EXAMPLES / f"{name}.smv")) for name in ("sender", "receiver")]
    assert pigro.check(product_of(Composition(together(files)[0])), text).outcome == word


def test_one_part_of_a_file(tmp_path):
    path = tmp_path / "two.parts"
    path.write_text(TWO, encoding="utf-8")
    file = load_parts(f"{path}:lossy")
    assert [part.name for part in file.parts] == ["lossy"]
    assert (file.compose, len(file.formulas)) == (None, 2)
    with pytest.raises(UsageError, match='has no part "losy"') as found:
        load_parts(f"{path}:losy")
    assert '"lossy"' in found.value.hint
    with pytest.raises(UsageError) as found:
        load_parts(f"{path}x:lossy")
    assert found.value.code == "P001"


def test_a_file_name_may_have_a_colon_or_another_suffix(tmp_path):
    path = tmp_path / "two:lossy"
    path.write_text(TWO, encoding="utf-8")
    assert len(load_parts(str(path)).parts) == 2


def test_other_models_without_calls_are_parts(tmp_path):
    path = tmp_path / "small.rsm"
    pigro.save(pigro.kripke({"a": ["b"], "b": []}, labels={"b": ["p"]}, initial="a"), path)
    (part,) = load_parts(str(path)).parts
    assert (part.name, part.states, part.atoms) == ("small", ("a", "b"), ("p",))
    with pytest.raises(UsageError) as found:
        load_parts(f"{path}:a")
    assert found.value.code == "P007"
    with pytest.raises(ModelError) as found:
        load_parts(str(EXAMPLES / "server.rsm"))
    assert found.value.code == "P222"


def small(name, compose=None):
    said = "" if compose is None else f"compose {compose}\n"
    return parse(
        f"part {name}\nstate a initial\n{said}check AG p\n".encode(), source=f"{name}.parts"
    )


def test_several_files_together():
    files = [small("x"), small("y"), small("z")]
    parts, formulas = together(files)
    assert [part.name for part in parts] == ["x", "y", "z"]
    assert len(formulas) == 3
    parts, _ = together([*files, small("w", "z, x")])
    assert [part.name for part in parts] == ["z", "x"]


def test_several_files_that_do_not_go_together():
    with pytest.raises(InputError) as found:
        together([small("x", "x"), small("y", "y")])
    assert (found.value.code, found.value.position.source) == ("P131", "y.parts")
    with pytest.raises(InputError) as found:
        together([small("xylophone", "xylophon")])
    assert (found.value.code, found.value.position.line) == ("P133", 3)
    assert '"xylophone"' in found.value.hint


WIDE = """\
part lossy
  actions send
  state a {} initial
  state b {}
  state c {}
  a ~send~> a
  a -tau-> a
  a -send-> b | c
  b -tau-> a | b, a | c
"""


def test_steps_to_one_of_several_states():
    (lossy,) = parse(WIDE.encode()).parts
    wanted = PartBuilder("lossy", actions=["send"]).state("a", initial=True).state("b").state("c")
    wanted.step("a", "a", "send", must=False).step("a", "a", "tau")
    wanted.hyper_step("a", ["c", "b"], "send")
    wanted.hyper_step("b", ["a", "b"], "tau").hyper_step("b", ["c", "a"], "tau")
    assert same(lossy, wanted.build())
    assert write_parts(PartsFile((lossy,))).decode().splitlines() == [
        "part lossy", "  actions send", "  state a {} initial", "  state b {}", "  state c {}",
        "  a -tau-> a", "  a ~send~> a", "  a -send-> b | c", "  b -tau-> a | b, a | c",
    ]  # fmt: skip
    assert same(parse(write_parts(PartsFile((lossy,)))).parts[0], lossy)


def test_states_that_are_declared_later():
    (part,) = parse(b"part p\n x -> y | z\n state z\n state y\n state x initial\n").parts
    assert part.states == ("z", "y", "x")
    assert part.hyper == ((2, 0, (0, 1)),)


@pytest.mark.parametrize(
    ("line", "code", "column", "told"),
    [
        ("a ~> a | b", "P130", 8, "a step to one of several states must be there"),
        ("a -> a |", "P130", 9, "expected a state, found the end of the line"),
        ("a -> | b", "P130", 6, 'expected a state, found "|"'),
        ("a -> b | a | b", "P132", 14, 'state "b" is named twice in one step'),
        ("a -> a | c", "P133", 10, 'part "p" has no state "c"'),
        ("a -go-> a | b", "P135", 4, 'part "p" lists no actions'),
    ],
)
def test_wrong_hyper_steps(line, code, column, told):
    text = f"part p\nstate a initial\nstate b\n{line}\n"
    with pytest.raises(InputError) as caught:
        parse(text.encode())
    error = caught.value
    assert (error.code, error.position.line, error.position.column) == (code, 4, column)
    assert told in error.message
