"""LTLSPEC, and formulas of CTL* over variables: how they are read, and what they mean."""

import pytest

import pigro
from pigro.formats import smv

COUNTER = (
    "MODULE main VAR x : 0..3; b : boolean; W : boolean; R : boolean; DEFINE p := x = 0; q := x = 1; "
    "r := x = 2; ASSIGN init(x) := 0; next(x) := case x < 2 : x + 1; TRUE : {2, 3, 0}; esac; "
    "init(b) := FALSE; init(W) := FALSE; init(R) := TRUE; "
)


def asked(sections):
    document = smv.SmvDocument((COUNTER + sections).encode())
    return document, document.requirements(document.model())


def formula_of(text):
    return asked(f"LTLSPEC {text}")[1][0].formula


def given(text):
    return smv.SmvDocument(COUNTER.encode()).formula(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F x = 2", True),
        ("G F x = 2", False),
        ("(G F x = 0) -> G F x = 2", True),
        ("x < 2 U x = 2", True),
        ("x = 3 V x < 3", False),
        ("FALSE V x <= 3", True),
        ("X X r", True),
        ("p", True),
        ("q", False),
        ("F G r | G F (x = 3 | p)", True),
        ("F G r & G F (x = 3 | p)", False),
        ("G (x = 1 -> X x = 2)", True),
    ],
)
def test_a_section_means_on_all_paths(text, expected):
    document, (requirement,) = asked(f"LTLSPEC {text};")
    model = document.model()
    assert pigro.check(model, requirement.formula).holds is expected
    assert pigro.check(model, given(f"A [{text}]")).holds is expected


def test_sections_have_names_and_modules():
    text = (
        "MODULE main VAR x : 0..1; LTLSPEC NAME often := G F x = 1;\nLTLSPEC G x < 2\n"
        "MODULE sub VAR s : {a, b}; LTLSPEC s = a U s = b SPEC EF s = a"
    )
    found = smv.requirements(text.encode())
    assert [(each.name, each.text, each.module, each.line) for each in found] == [
        ("often", "G F x = 1", "main", 1),
        (None, "G x < 2", "main", 2),
        (None, "s = a U s = b", "sub", 3),
        (None, "EF s = a", "sub", 3),
    ]
    assert str(found[0].formula) == 'G F "main.x = 1"'
    assert [each.formula.fragment.value for each in found] == ["LTL", "LTL", "LTL", "CTL"]


@pytest.mark.parametrize(
    ("text", "brackets"),
    [
        ("G p U q & r", "((G p) U q) & r"),
        ("p & q U r | p", "(p & (q U r)) | p"),
        ("p U q U r", "(p U q) U r"),
        ("p U q V r U p", "((p U q) V r) U p"),
        ("p U (q U r)", "p U (q U r)"),
        ("!p U !q", "(!p) U (!q)"),
        ("! F x = 1 & p", "(!(F (x = 1))) & p"),
        ("X x + 1 = 2 U b", "(X ((x + 1) = 2)) U b"),
        ("F G p -> G F q -> r", "(F (G p)) -> ((G (F q)) -> r)"),
        ("p U X q <-> r", "(p U (X q)) <-> r"),
    ],
)
def test_precedence_is_that_of_nusmv(text, brackets):
    assert formula_of(text) == formula_of(brackets)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A [G F x = 2 -> F (b & E [X x = 1])]", 'A [(G F "x = 2") -> F (b & EX "x = 1")]'),
        ("E [F G p]", "E [F G p]"),
        ("G F x = 2", 'G F "x = 2"'),
        ("A (F p)", "AF p"),
        ("A (F p & q)", "A [(F p) & q]"),
        ("A F x = 1 & p", 'AF "x = 1" & p'),
        ("E F G p", "E [F G p]"),
        ("A [p]", "A [p]"),
        ("E p U q", "E [p U q]"),
        ("E (p | q) U r", "E [(p | q) U r]"),
        ("E (E (p U q) U r)", "E [E [p U q] U r]"),
        ("!A p U q & r", "!A [p U q] & r"),
        ("A [p U (q U r)]", "A [p U (q U r)]"),
        ("A [(p U q) & r]", "A [(p U q) & r]"),
        ("A [x = 1 W F x = 2]", 'A ["x = 1" W F "x = 2"]'),
        ("x = 1 V p", '"x = 1" R p'),
        ("x = 1 R p", '"x = 1" R p'),
        ("!q W x = 1 W !q W p", '!q W ("x = 1" W (!q W p))'),
        ("p U q W r", "p U (q W r)"),
        ("p R q U r", "p R (q U r)"),
        ("AG E [G F x != 1]", 'AG E [G F !"x = 1"]'),
        ("x != 1 U G x in {1, 2}", '!"x = 1" U G "x in {1, 2}"'),
    ],
)  # fmt: skip
def test_formulas_from_elsewhere_are_of_ctl_star(text, written):
    assert given(text) == pigro.parse(written)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A [p & q U r | p]", "A [(p & q) U (r | p)]"),
        ("E [p -> q U r]", "E [(p -> q) U r]"),
        ("A [b ? p : q U r]", 'A ["(b) ? (p) : (q)" U r]'),
        ("A [p & E [q | r U p] U r]", "A [(p & E [(q | r) U p]) U r]"),
        ("A [p U case b : p; TRUE : q; esac & r]", 'A [p U ("case b : p; TRUE : q; esac" & r)]'),
        ("A [R & W U p]", 'A [("R" & "W") U p]'),
    ],
)
def test_until_of_ctl_takes_all_that_is_in_the_brackets(text, written):
    assert given(text) == asked(f"SPEC {text}")[1][0].formula == pigro.parse(written)


def test_names_that_look_like_operators():
    assert given("R R W") == pigro.parse('"R" R "W"')
    assert given("A [W W W]") == pigro.parse('A ["W" W "W"]')
    assert formula_of("W U R") == pigro.parse('"W" U "R"')


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("A [p & F q U r]", 12),
        ("A [p U F q | r]", 6),
        ("E [p & q W r]", 10),
        ("A [p U q & E p U r]", 6),
        ("AG E [p -> q U (q U r)]", 14),
        ("p U q U r", 7),
        ("A [p U q V r]", 10),
        ("E p U F q V r", 11),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(text, column):
    with pytest.raises(pigro.FormulaError) as caught:
        given(text)
    assert (caught.value.code, caught.value.position.column) == ("P122", column)
    assert "could be read in two ways" in caught.value.message
    assert caught.value.hint.startswith("put round brackets around")


@pytest.mark.parametrize(
    "operator", ["Y p", "Z p", "H p", "O p", "p S q", "p T q", "G (p & (q S p))"]
)
def test_the_past_is_for_formulas_of_the_file(operator):
    formula_of(operator)
    with pytest.raises(pigro.FormulaError) as caught:
        given(operator)
    assert caught.value.code == "P122"
    assert "the past operator" in caught.value.message


@pytest.mark.parametrize(
    "operator",
    ["X [1, 3] p", "p U [1, 2] q", "p V [1, 2] q", "(p BU 1..2 q)"],
)
def test_bounds_that_nusmv_does_not_have(operator):
    for error, read in ((pigro.InputError, formula_of), (pigro.FormulaError, given)):
        with pytest.raises(error) as caught:
            read(operator)
        assert caught.value.code == "P122"
        assert caught.value.message.startswith("the bounded operator `")


@pytest.mark.parametrize(
    ("operators", "code"), [(100, "LTL"), (256, "LTL"), (257, "P304"), (50_000, "P304")]
)
def test_operators_on_paths_are_nested_256_levels_deep_at_most(operators, code):
    for text in ("F " * operators + "p", "p" + " U p" * operators):
        try:
            found = formula_of(text).fragment.value
        except pigro.PigroError as error:
            found = error.code
        assert found == code


@pytest.mark.long
def test_many_operators_are_no_problem():
    formula = formula_of(" & ".join(["(F x = 1 -> X p)"] * 30_000))
    assert len(formula) == 30_004
    formula = given("A [" + " | ".join(["G (p U q)"] * 50_000) + "]")
    assert len(formula) == 50_004
