"""Searches for reasons keep what earlier ones found out, and find the same."""

from pigro.engines.dubslaff2024 import LAZY, expansion
from pigro.formats import rsm_json
from pigro.logic import read_formulas

from shared_files import java


def test_few_runs_are_followed_again(monkeypatch):
    """29,190 when every search began anew. Contexts and passes are what they were then."""
    followed = []
    run = expansion._run

    def counted(*given):
        followed.append(given[0])
        return run(*given)

    monkeypatch.setattr(expansion, "_run", counted)
    model = rsm_json.read(java("avroraReg", ".rsm"))
    _, formula = read_formulas(java("avroraReg", "_single_usedef.ctl"))[0]
    verdict = LAZY(model, formula)
    assert verdict.holds is False
    assert (verdict.stats.contexts, verdict.stats.passes) == (141, 1971)
    assert len(followed) < 5000


def test_marks_at_exits_are_where_callers_know_more(monkeypatch):
    """HI1, after a check: at an exit without a mark no caller is a reason."""
    model = rsm_json.read(java("avroraReg", ".rsm"))
    _, formula = read_formulas(java("avroraReg", "_single_usedef.ctl"))[0]
    checked = []
    known_outside = expansion._known_outside

    def compared(instances, instance, exit_, number):
        found = known_outside(instances, instance, exit_, number)
        hints, instances.hints = instances.hints, None
        assert found == known_outside(instances, instance, exit_, number)
        instances.hints = hints
        checked.append(found)
        return found

    monkeypatch.setattr(expansion, "_known_outside", compared)
    LAZY(model, formula)
    assert sum(each is not None for each in checked) > 100
    assert None in checked
