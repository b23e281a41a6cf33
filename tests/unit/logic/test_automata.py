"""Automata given state by state: text, mistakes, names in files, and what formulas with them mean."""

import pickle

import pytest

import pigro
from pigro.diagnostics import FormulaError
from pigro.formats.parts import load_parts, together
from pigro.logic import Fragment, parse, read_formulas
from pigro.logic.construct import part_of
from pigro.logic.printer import text_for_people
from pigro.logic.regular.automata import LARGEST
from pigro.session.formulas import read_given

ONE = "automaton x { start a; a -> b : p; b -> a; accept b }"
OTHER = "automaton x { start a; a -> b : q; b -> a; accept b }"


@pytest.mark.parametrize(
    "text, printed",
    [
        (f"E [{ONE}]", f"E [{ONE}]"),
        ("E [automaton{accept b;a->b:p;start a;b->a;}]", None),
        (f"E {ONE} & q", f"E [{ONE}] & q"),
        (f"E [{ONE} & X automaton x]", f"E [{ONE} & X automaton x]"),
        (ONE, f"({ONE})"),
        ("automaton { start a, b; a -> b : p -> q; b -> b : E [{p ; q}!]; accept b, a } U p", None),
        (f"{{{ONE} ; q*}}! | automaton", f"{{{ONE} ; q*}}! | automaton"),
        (f"{{p ; E [{ONE}]}}^w", f"{{p ; E [{ONE}]}}^w"),
        (f"A [automaton {{ start a; a -> a : E [{ONE}]; accept a }} | automaton x]", None),
        (
            "E [automaton start { start start; start -> accept; accept -> start; accept accept }]",
            None,
        ),
    ],
)
def test_text(text, printed):
    formula = parse(text)
    assert formula.fragment is Fragment.ECTL_STAR
    assert printed is None or str(formula) == printed
    assert parse(str(formula)) == formula
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert part_of(formula, len(formula) - 1) == formula


def test_people_see_names():
    formula = parse(f"E [{ONE} & X automaton {{ start a; a -> a; accept a }}]")
    shown = text_for_people(formula)
    assert shown == "E [automaton x & X automaton { start a; a -> a; accept a }]"


def test_automata_of_one_name_that_meet():
    met = parse(f"E [{ONE}]") & parse(f"E [{OTHER}]") & parse(f"E [{ONE}]")
    other = OTHER.replace("x", "x_2", 1)
    assert str(met) == f"E [{ONE}] & E [{other}] & E [automaton x]"
    assert parse(str(met)) == met


BODY = "{ start a; a -> a : p; accept a }"


@pytest.mark.parametrize(
    "text, code, column",
    [
        ("E [automaton y]", "P310", 14),
        (f"E [automaton x {BODY} & automaton y]", "P310", 62),
        ("E [automaton { a -> a : p; accept a }]", "P311", 4),
        ("E [automaton x { start a; a -> a }]", "P311", 14),
        ("E [automaton {}]", "P311", 4),
        (f"E [{ONE}] & E [{OTHER}]", "P312", 74),
        ("E [automaton { start a; a -> a : F p; accept a }]", "P313", 34),
        ("E [automaton { start a; a -> a : p; accept b }]", "P314", 44),
        ("E [automaton { start b; a -> a : p; accept a }]", "P314", 22),
        ("E [automaton { start a; a -> b : p; a -> a; accept a }]", "P314", 30),
        ("E [automaton { start a; a -> a : p; b -> a; accept a }]", "P314", 37),
        ("E [automaton { start a; a => a : p; accept a }]", "P301", 27),
        ("E [automaton { start U; U -> U : p; accept U }]", "P301", 22),
        ('E [automaton { start "a"; a -> a; accept a }]', "P301", 22),
        ("E [automaton { start a; a -> a : ; accept a }]", "P301", 34),
        ("E [automaton { start a; a -> a : p* ; accept a }]", "P301", 35),
        ("E [automaton { start a a; a -> a; accept a }]", "P301", 24),
        ("E [automaton { start a; a -> a : (p; accept a }]", "P301", 36),
        ("E [automaton x { start a; a -> a : p", "P302", 16),
        ("E [automaton { start a; a -> a", "P302", 14),
        (f"{{automaton {BODY} & p}}!", "P309", 1),
        (f"{{automaton {BODY}}}", "P301", 46),
    ],
)
def test_mistakes(text, code, column):
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert (caught.value.code, caught.value.position.column) == (code, column)


def test_an_automaton_has_a_largest_size():
    edges = "; ".join(f"a -> a : p{at}" for at in range(LARGEST))
    parse(f"E [automaton {{ start a; {edges}; accept a }}]")
    with pytest.raises(FormulaError) as caught:
        parse(f"E [automaton {{ start a; {edges}; a -> a; accept a }}]")
    assert caught.value.code == "P308"


FILE = """\
define two = p ; p
automaton x {
  # reads two at a time
  start a;
  a -> b : p;
  b -> a : E [{two}!];
  accept b
}
automaton two { start two; two -> two : E [automaton x]; accept two }
E [automaton x & X automaton x]
{two ; automaton two}!
automaton z { start a; a -> a; accept a } & p
"""


def test_names_in_files():
    rows = read_formulas(FILE.replace("\n", "\r\n").encode())
    x = "automaton x { start a; a -> b : p; b -> a : E [{p ; p}!]; accept b }"
    two = f"automaton two {{ start two; two -> two : E [{x}]; accept two }}"
    assert [(number, str(formula)) for number, formula in rows] == [
        (10, f"E [{x} & X automaton x]"),
        (11, f"{{p ; p ; {two}}}!"),
        (12, "automaton z { start a; a -> a; accept a } & p"),
    ]


def test_mistakes_in_files():
    rows = [
        f"automaton one {BODY}",
        "E [automaton on & p]",
        "E [automaton one & p q]",
        f"automaton one {BODY}",
        "automaton three {",
        "  start a; a -> b : p;",
        "}",
        "p &",
        "automaton four {",
        "  start a; a -> a; accept a } & p",
        "automaton five {",
    ]
    wrong = []
    found = read_formulas("\n".join(rows), "f.ctl", wrong=wrong.append)
    assert found == []
    assert [(each.code, each.position.line, each.position.column) for each in wrong] == [
        ("P310", 2, 14),
        ("P301", 3, 22),
        ("P312", 4, 11),
        ("P311", 5, 11),
        ("P301", 8, 4),
        ("P301", 10, 30),
        ("P302", 11, 16),
    ]
    assert wrong[0].hint == 'did you mean "one"?'
    assert wrong[1].position.text == rows[2]


def test_all_lines_of_a_file_are_read(tmp_path):
    file = tmp_path / "f.ctl"
    file.write_bytes(
        b"automaton x {\n start a;\n a -> a : p; accept a }\nE [automaton x]\nF \xff\np &\nAG p"
    )
    problems = pigro.diagnostics.InputProblems()
    found = read_given((), [str(file)], problems, parse, lambda formula: formula)
    assert [str(each) for each in found] == [f"E [automaton x {BODY}]", "AG p"]
    assert [each.position.line for each in problems.errors] == [5, 6]


def test_an_unclosed_automaton_takes_time_in_the_size_of_the_file():
    text = "automaton x {\n" + "a -> b : p;\n" * 20_000
    with pytest.raises(FormulaError) as caught:
        read_formulas(text)
    assert caught.value.code in {"P302", "P308"}


@pytest.mark.parametrize(
    "automaton, plain",
    [
        ("{ start a; a -> a : p; a -> b : q; b -> b; accept b }", "p U q"),
        ("{ start a; a -> a : p; accept a }", "G p"),
        ("{ start a; a -> a : !p; a -> b : p; b -> a : !p; b -> b : p; accept b }", "G F p"),
        ("{ start a; a -> a; a -> b : p; b -> b : p; accept b }", "F G p"),
        ("{ start a, b; a -> a : p; b -> b : q; accept a, b }", "G p | G q"),
    ],
)
@pytest.mark.parametrize("quantifier", ["A", "E", "A !", "E !"])
@pytest.mark.parametrize("dead_ends", ["stop", "stutter"])
def test_ltl_is_a_special_case(automaton, plain, quantifier, dead_ends):
    labels = [[], ["p"], ["q"], ["p", "q"]]
    letter, sign = quantifier[0], quantifier[1:]
    for number in range(0, 81, 2):
        targets = [number // 3**at % 3 for at in range(4)]
        rows = {
            f"s{at}": [f"s{(at + to) % 4}"] * (to > 0) + ["s3"] * (to > 1)
            for at, to in enumerate(targets)
        }
        carried = {f"s{at}": its for at, its in enumerate(labels)}
        model = pigro.kripke(rows, labels=carried, initial="s0", dead_ends=dead_ends)
        texts = (f"automaton {automaton}", plain)
        told = [pigro.check(model, f"{letter} [{sign}({each})]").holds for each in texts]
        assert told[0] == told[1], (rows, told)


RECURSIVE = [
    "E [automaton x { start a; a -> b : grey; b -> a; accept b }]",
    "A [automaton { start a; a -> b : !black; b -> a; accept b }]",
    "A [!automaton { start a; a -> a : !white; accept a }]",
    "A [{automaton { start a; a -> b; b -> a; accept a }} |-> !black]",
    "E [automaton { start a; a -> a : E [automaton { start a; a -> a : grey; accept a }]; accept a }]",
]


def test_recursive_models_with_certificates_and_evidence():
    model = pigro.load("examples/choices.rsm")
    verdicts = pigro.check_all(model, RECURSIVE, verify=True, witness=True)
    assert [each.holds for each in verdicts] == [True, False, False, False, True]
    assert all(each.certificate is not None for each in verdicts)
    for verdict in verdicts:
        cut = pigro.check(model, verdict.formula, engine="onthefly", depth=6).holds
        assert cut in (None, verdict.holds)


def test_compositions():
    parts = pigro.Composition(together([load_parts("examples/handshake.parts")])[0])
    model = pigro.kripke(
        {"idle": ["idle", "asking"], "asking": ["waiting"], "waiting": ["idle"]},
        labels={"idle": ["happy"], "asking": ["request"], "waiting": ["request", "busy"]},
        initial="idle",
    )
    texts = [
        "E [automaton { start a; a -> b : happy; b -> a : !happy; accept b }]",
        "A [automaton { start a; a -> a; a -> b : happy; b -> a; accept b }]",
        "A [automaton { start a; a -> a : !happy; a -> b : happy; b -> a; accept b }]",
        "A [{(happy ; true ; true)*}^w]",
        "E [{(happy ; request ; busy)*}^w]",
        "A [{true* ; request} |=> busy | happy]",
    ]
    told = [pigro.compose_check(parts, text).holds for text in texts]
    assert told == [pigro.check(model, text).holds for text in texts]
    assert set(told) == {True, False}


def test_models_in_another_language():
    model = pigro.load("examples/mutex.smv")
    turns = (
        'automaton t { start a; a -> b : "one = critical"; a -> a; b -> a : in2; b -> b; accept b }'
    )
    assert pigro.check(model, f"E [{turns}]").holds
    with pytest.raises(pigro.PigroError) as caught:
        pigro.check(model, "E [automaton { start a; a -> b : in1; accept a }]")
    assert caught.value.code == "P314"
