"""The rules of [Finis2012], section 5.1, for modules that call: errors under `rmv` only."""

import pytest

import pigro
from pigro.diagnostics import InputError
from pigro.formats import smv

CALLEE = "MODULE f VAR s : {t}; ASSIGN init(s) := t; next(s) := EXIT;"
RIGHT = (
    "MODULE main VAR s : {a, b, c}; DEFINE p := s in {a, EXIT}; CALL f := s = b; "
    "ASSIGN init(s) := a; next(s) := case s = a : b; s = b : c; TRUE : EXIT; esac;"
)
BROKEN = {
    "state b of `main` calls `f` and has label `p`": (RIGHT.replace("{a, EXIT}", "{b}"), CALLEE),
    "initial state a of `main` calls `f`": (RIGHT.replace("f := s = b", "f := s = a").replace("s in {a, ", "s in {"), CALLEE),
    "state c of `main` calls right after state b of `main` does": (RIGHT.replace("s = b; A", "s in {b, c}; A"), CALLEE),
    "module `f` is called and has 2 initial states": (RIGHT, CALLEE.replace("{t}", "{t, u}").replace("init(s) := t", "init(s) := {t, u}")),
}  # fmt: skip


def test_a_file_that_keeps_the_rules():
    document = smv.SmvDocument(f"{RIGHT}\n{CALLEE}".encode())
    assert document.notes() == []
    assert pigro.check(document.model(semantics="rmv"), "AF AG !p").holds
    assert pigro.check(document.model(), "AF AG p").holds


@pytest.mark.parametrize("message", BROKEN)
def test_broken_rules(message):
    document = smv.SmvDocument("\n".join(BROKEN[message]).encode())
    assert document.notes() == []
    assert document.model().initial
    with pytest.raises(InputError) as caught:
        document.model(semantics="rmv")
    assert (caught.value.code, caught.value.message) == ("P136", message)
    assert caught.value.position.line == 1


def test_formulas_start_in_their_own_modules():
    text = f"{RIGHT} SPEC AF AG !p\n{CALLEE} SPEC EF EX EX !p"
    document = smv.SmvDocument(text.encode())
    model = document.model(semantics="rmv")
    for each in document.requirements(model):
        assert pigro.check(model.with_initial(each.initial), each.formula).holds, each
        [start] = model.with_initial(each.initial).initial
        assert model.component_name(start) in ("main", "f_initial")
    assert pigro.check(model, 'EF "main.s = c"').holds
