"""The tables by template have a row for each template that they must know, and for no other name."""

from pigro.rules.templates import TEMPLATES
from pigro.scan import scanning
from pigro.scan.project import giving_up


def test_each_template_has_a_checker():
    assert scanning._CHECKERS.keys() == TEMPLATES.keys()
    for name, (module, _) in scanning._CHECKERS.items():
        assert scanning.checker_of(name).__module__ == f"pigro.scan.templates.{module}"


def test_what_rules_give_up_is_told_for_templates_that_there_are():
    assert giving_up._BY_TEMPLATE.keys() <= TEMPLATES.keys()
