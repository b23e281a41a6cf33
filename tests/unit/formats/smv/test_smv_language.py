"""What expressions, assignments and types mean."""

import pytest

import pigro
from pigro.formats import smv


def holds(text):
    document = smv.SmvDocument(text.encode())
    model = document.model()
    return [
        pigro.check(model.with_initial(each.initial), each.formula).holds
        for each in document.requirements(model)
    ]


def counter(formula, more=""):
    """A counter from 0 to 5 that stays there, with a boolean and a symbol."""
    return (
        f"MODULE main VAR x : 0..5; b : boolean; s : {{red, green, 7}}; {more} ASSIGN init(x) := 0;"
        "next(x) := x < 5 ? x + 1 : x; init(b) := FALSE; next(b) := !b; init(s) := red;"
        f"next(s) := case x = 2 : green; x > 3 : 7; TRUE : s; esac; SPEC {formula}"
    )


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("AF x = 5", True),
        ("AG x = 5", False),
        ("AG x <= 5 & EF x = 5", True),
        ("AG (x = 5 -> AG x = 5)", True),
        ("EX x = 1 & !EX x = 2", True),
        ("A [x < 5 U x = 5]", True),
        ("E [x < 3 U x = 5]", False),
        ("b = FALSE & AX b = TRUE", True),
        ("!b & AX b & AX AX !b", True),
        ("!b = b", False),
        ("!b != b", True),
        ("AX AX AX s = green", True),
        ("AG (s in {red, green, 7})", True),
        ("AG (s = 7 -> x in {5, 4})", True),
        ("AG x in 0..5", True),
        ("AG x in 0..4", False),
        ("AG x in {0} union {1, 2} union 3..5", True),
        ("AG (x + 1 > x)", True),
        ("AG 2 * x + 1 != 4", True),
        ("AG (x - 1 - 1 = x - 2)", True),
        ("AG (8 / 2 / 2 = 2)", True),
        ("7 / 2 = 3 & -7 / 2 = -3 & 7 mod -2 = 1 & -7 mod 2 = -1", True),
        ("2 + 3 * 4 = 14 & (2 + 3) * 4 = 20 & -2 + 3 = 1", True),
        ("AG ((x mod 2 = 0 <-> !b) | x = 5)", True),
        ("AG (b xor b) | TRUE", True),
        ("AG !(b xor b) & AG (b xnor b)", True),
        ("FALSE -> FALSE -> FALSE", True),
        ("(FALSE -> FALSE) -> FALSE", False),
        ("AG ((x < 3 ? x : 3) <= 3)", True),
        ("AG (case x < 3 : TRUE; TRUE : x >= 3; esac)", True),
        ("AG (b ? TRUE : !b)", True),
        ("!EF x = EXIT", True),
        ("EF (EXIT = EXIT)", True),
    ],
)
def test_formulas(formula, expected):
    assert holds(counter(formula)) == [expected]


def test_unassigned_variables_are_free():
    text = "MODULE main VAR x : 0..2; b : boolean; SPEC x = 0 SPEC EX x = 2 & EX !b SPEC AG EF (x = 1 & b)"
    assert holds(text) == [False, True, True]
    assert smv.read(text.encode()).statistics.edges == 36


def test_a_formula_holds_if_it_does_at_every_initial_state():
    text = "MODULE main VAR x : 0..2; ASSIGN init(x) := {0, 1}; next(x) := x; SPEC x < 2 SPEC x = 0"
    assert holds(text) == [True, False]


def test_without_variables_there_is_one_state_forever():
    assert holds("MODULE main DEFINE p := TRUE; SPEC AG p SPEC EX p") == [True, True]


def test_specs_of_all_kinds():
    text = """
MODULE main
VAR x : 0..1;
ASSIGN init(x) := 0; next(x) := 1;
SPEC NAME first := AF x = 1;
CTLSPEC AX x = 1
INVARSPEC x < 2;
INVARSPEC NAME last := x = 0
"""
    document = smv.SmvDocument(text.encode())
    asked = document.requirements(document.model())
    assert [(each.name, each.text, each.line) for each in asked] == [
        ("first", "AF x = 1", 5),
        (None, "AX x = 1", 6),
        (None, "x < 2", 7),
        ("last", "x = 0", 8),
    ]
    assert str(asked[2].formula) == 'AG "x < 2"'
    assert holds(text) == [True, True, True, False]


def test_definitions_are_macros_and_labels():
    text = """
MODULE main
VAR x : 0..3;
DEFINE double := x + x; late := double > least; least := 3; choice := {0, 1};
ASSIGN init(x) := choice; next(x) := late ? x : x + 1;
SPEC AF late
SPEC AG (late -> double = 4)
"""
    model = smv.read(text.encode())
    assert list(model.label_ids) == ["late", "double = 4"]
    assert len(model.initial) == 2
    assert holds(text) == [True, True]


def test_right_sides_may_ask_for_the_same_moment():
    text = """
MODULE main
VAR x : 0..3; y : 0..3; z : 0..6;
ASSIGN
  init(y) := x; init(x) := {1, 2};
  next(y) := 3 - next(x); next(x) := {0, 1};
  z := x + y;
SPEC x = y & z = x + y & AX AG (x + y = 3 & z = 3)
"""
    assert holds(text) == [True]
    assert smv.read(text.encode()).statistics.nodes == 4


def test_operands_that_are_not_needed_are_not_evaluated():
    """From left to right, also where a case is looked up in a table."""
    text = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := case {} : 2; TRUE : 1; esac;"
    assert smv.read(text.format("x = 1 & 1 / x = 1").encode()).statistics.nodes == 3
    with pytest.raises(pigro.InputError) as caught:
        smv.read(text.format("1 / x = 1 & x = 1").encode())
    assert caught.value.code == "P126"


def test_truth_values_are_no_numbers():
    text = "MODULE main VAR m : {0, 1, TRUE}; ASSIGN init(m) := TRUE; next(m) := m; "
    specs = "SPEC m = 1 SPEC (1 < 2 ? m : m) = 1 SPEC m in {1} SPEC m in {m, 0} SPEC m != 1 SPEC m"
    assert holds(text + specs) == [False, False, False, True, True, True]


def test_comments_and_names():
    text = """-- a file
MODULE main /-- over
 -- several
lines --/ VAR a-b : 0..3; $x : boolean; -- no
"""
    with pytest.raises(pigro.PigroError):
        smv.read(text.encode())
    text = text.replace("$x", "_x$#1")
    assert smv.read(text.encode()).statistics.nodes == 8
    assert holds(text + "SPEC AG (a-b - 1 < 3) SPEC a-b>=0->TRUE--end") == [True, True]


def test_a_file_starts_in_main_or_in_its_first_module():
    one = "MODULE a VAR x : 0..1; MODULE main VAR y : 0..3;"
    assert len(smv.read(one.encode()).initial) == 4
    assert len(smv.read(one.replace("main", "b").encode()).initial) == 2


@pytest.mark.parametrize("text", ["x = 1", "s = red", "!b", "x + 1 < 5 & (s = red -> EF b)"])
def test_labels_read_back_as_formulas(text):
    document = smv.SmvDocument(counter("TRUE").encode())
    first = document.formula(text)
    for label in first.atoms:
        assert document.formula(label).atoms == (label,)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("((x)+(1))<5", "x + 1 < 5"),
        ("(x - 1) - 1 = x-1 - (1)", None),
        ("x - (1 - 1) = 1", "x - (1 - 1) = 1"),
        ("x in{1,2}union{3}", "x in {1, 2} union {3}"),
        ("(x * 2) + 1 = -(x)", "x * 2 + 1 = -x"),
        ("x * (2 + 1) = 3", "x * (2 + 1) = 3"),
        ("(b -> b) = b", "(b -> b) = b"),
        ("x in 1..2", "x in 1..2"),
        ("(x < 2 ? x : 3) = 1", "((x < 2) ? (x) : (3)) = 1"),
        ("case b : x; TRUE : 2; esac = 2", "case b : x; TRUE : 2; esac = 2"),
    ],
)
def test_canonical_labels(text, label):
    document = smv.SmvDocument(counter("TRUE").encode())
    if label is None:
        with pytest.raises(pigro.FormulaError):
            document.formula(text)  # x-1 is a name
        return
    assert document.formula(text).atoms == (label,)
    assert document.formula(label).atoms == (label,)


def test_formulas_from_elsewhere():
    document = smv.SmvDocument(counter("TRUE").encode())
    formula = document.formula("AG (x = 3 -> AX (s = 7 | s != red))")
    assert str(formula) == 'AG ("x = 3" -> AX ("s = 7" | !"s = red"))'
    assert pigro.check(document.model(), formula).holds is True
    assert smv.formula("1 < 2", document) == pigro.parse("true")
    with pytest.raises(pigro.FormulaError) as caught:
        document.formula("AG (x = blue)")
    assert (caught.value.code, caught.value.position.column) == ("P123", 9)
    with pytest.raises(pigro.FormulaError) as caught:
        document.formula("  ")
    assert caught.value.code == "P305"
