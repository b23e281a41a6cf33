"""Properties of `.pdmu` files as formulas about the initial configuration."""

import pytest

import pigro
from pigro.formats import pdmu
from pigro.formats.pdmu_property import property_formula
from pigro.logic import parse

USE_DEF = r"""!(
    (nu X . (!csend & [@def_v]ff & [\use_v usedef_v]X))
    &
    ~[\def_v usedef_v](nu Y.(mu Z. csend | <@def_v>tt | <\use_v usedef_v>Z) & ~[\def_v usedef_v]Y)
)"""


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("p", "p"),
        ("tt & !ff", "true & !false"),
        ("<> p || [] q => r", "<> p | [] q -> r"),
        ("<@p q> r", "(p | q) & <> r"),
        ("[@p q] r", "p | q -> [] r"),
        (r"<\p q> r", "!(p | q) & <> r"),
        (r"[\p q] r", "p | q | [] r"),
        ("mu X . p | <> X", "mu X. p | <> X"),
        ("nu X. p & []X // forever", "nu X. p & [] X"),
        ("p & ~[] q", "p & true"),
        ("p | ~<@q> r", "p | false"),
        ("!(p & ~[](nu X. ~<> X))", "!(p & true)"),
        ("[@p] ~", None),
        ("[] ~[] p", None),
        ("nu X. ~[] p & [] X", None),
        ("(~[] p) & <> ~[] p", None),
        ("p => q => r", None),
        ("[@] p", None),
        ("[p] q", None),
        ("p &", None),
        ("mu X. !X", None),
        ("", None),
    ],
)
def test_properties(text, formula):
    assert property_formula(text) == (None if formula is None else parse(formula))


def test_the_template_of_the_java_programs():
    assert property_formula(USE_DEF) == parse(
        "!((nu X. !csend & (def_v -> [] false) & (use_v | usedef_v | [] X)) & true)"
    )


RULES = """
Rules:
start # -> run a #;
run a -> run b;
run b -> run a;
run b -> run a b;
Propositions:
run a def_v;
run b use_v;
Mu Property:
"""


@pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
def test_a_file_is_asked_its_property_and_the_requirement():
    data = (RULES + USE_DEF).encode()
    stated = pdmu.requirements(data)
    assert [each.text for each in stated] == ["property", "use-def v"]
    model = pdmu.read(data)
    assert [pigro.check(model, each.formula).holds for each in stated] == [True, True]


def test_a_property_that_looks_back_is_said_to_be_left_out():
    [stated] = pdmu.requirements((RULES + "[] ~<> def_v").encode())
    assert stated.text == ("use-def v, instead of the property, which speaks of steps backward")
