"""Writing a model as a pushdown system and reading it again keeps verdicts. Twice, it keeps all."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from pigro.engines import ENGINES
from pigro.formats import pds
from pigro.logic import parse
from pigro.model import DeadEnds

from oracle.formula import to_text as formula_text
from oracle.generate import random_case, random_formula
from oracle.pushdown import random_pushdown, to_text
from support.agreement.ctl import as_model
from support.selection.cases import number_of_cases

if TYPE_CHECKING:
    from pigro import RSM


def again(model: RSM) -> RSM:
    """Written files mean the standard reading, and do not say that runs stop at dead ends."""
    written = pds.write(replace(model, dead_ends=DeadEnds.STUTTER))
    return pds.read(written, dead_ends=model.dead_ends)


def verdicts(model: RSM, seed: int) -> list[bool | None]:
    rng = Random(seed)
    formulas = [parse(formula_text(random_formula(rng))) for _ in range(3)]
    return [verdict.holds for verdict in ENGINES["exhaustive"].check_all(model, formulas)]


@settings(deadline=None, max_examples=number_of_cases("PIGRO_EXAMPLES", 300))
@given(seed=st.integers(0, 100_000))
def test_recursive_state_machines(seed: int):
    model = as_model(random_case(seed).machine)
    model = model.with_initial(model.initial[:1])
    assert verdicts(again(model), seed) == verdicts(model, seed)


@settings(deadline=None, max_examples=number_of_cases("PIGRO_EXAMPLES", 300))
@given(seed=st.integers(0, 100_000), pure=st.booleans(), crlf=st.booleans(), end=st.booleans())
def test_pushdown_systems(seed: int, pure: bool, crlf: bool, end: bool):
    system = random_pushdown(Random(seed), pure=pure)
    text = to_text(system, "\r\n" if crlf else "\n")
    data = (text if end else text.rstrip()).encode()
    model = pds.read(data, dead_ends=system.dead_ends)
    copy = again(model)
    assert verdicts(copy, seed) == verdicts(model, seed)


NAMES = st.text(min_size=1, max_size=6).filter(
    lambda text: not any(c.isspace() or c in "<>," or "\ud800" <= c <= "\udfff" for c in text)
)


@settings(deadline=None, max_examples=number_of_cases("PIGRO_EXAMPLES", 200))
@given(state=NAMES, symbol=NAMES, label=NAMES)
def test_any_names(state: str, symbol: str, label: str):
    """Names that would begin a comment or a statement are for nobody. All others come through."""
    if (
        state[0] in "#("
        or state == "ATOMS"
        or any(n.startswith(("//", "/*")) for n in (state, symbol, label))
    ):
        return
    if state.startswith("/") or "-->" in (state, symbol):
        return
    text = f"(p <{symbol}>)\nATOMS {symbol} {label}\np <{symbol}> --> {state} <{symbol} {symbol}>\n"
    model = pds.read(text.encode())
    assert list(model.label_ids) == [label]
    assert model.core.boxes >= 1
