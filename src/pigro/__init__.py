"""Pigro: a model checker for recursive programs.

>>> import pigro
>>> model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"b": ["p"]}, initial="a")
>>> pigro.check(model, "AG AF p").holds
True

Names are imported when first used, so that `import pigro` costs little.
"""

from __future__ import annotations

from pigro.lazy_names import lazy_names

TYPE_CHECKING = False  # as in `typing`, whose import takes long enough to be interrupted

if TYPE_CHECKING:
    from pigro.certificates import Certificate, check_certificates
    from pigro.diagnostics import (
        CheckError,
        FormulaError,
        InputError,
        InternalError,
        ModelError,
        PigroError,
        UsageError,
    )
    from pigro.engines.labelling import Satisfying, satisfying
    from pigro.engines.onthefly.system import System
    from pigro.formats import load, save
    from pigro.logic import Formula, parse, read_formulas
    from pigro.model import (
        RSM,
        DeadEnds,
        ModelBuilder,
        Names,
        Positions,
        Semantics,
        Statistics,
        kripke,
    )
    from pigro.model.composition import Composition
    from pigro.model.part import Part, PartBuilder
    from pigro.model.space import StateSpace
    from pigro.session.api import check, check_all, compose_check
    from pigro.session.findings import Validation
    from pigro.session.refining import simulates
    from pigro.session.validating import validate
    from pigro.verdict.verdict import Verdict

if TYPE_CHECKING:  # a module, and so not one of the names
    import pigro.batch  # noqa: F401

__version__ = "0.1.0"

_find, __dir__ = lazy_names(
    __name__,
    {
        "certificates": ("Certificate", "check_certificates"),
        "session.api": ("check", "check_all", "compose_check"),
        "verdict.verdict": ("Verdict",),
        "engines.labelling": ("Satisfying", "satisfying"),
        "engines.onthefly.system": ("System",),
        "diagnostics": (
            "CheckError",
            "FormulaError",
            "InputError",
            "InternalError",
            "ModelError",
            "PigroError",
            "UsageError",
        ),
        "formats": ("load", "save"),
        "logic": ("Formula", "parse", "read_formulas"),
        "model": (
            "RSM",
            "DeadEnds",
            "ModelBuilder",
            "Names",
            "Positions",
            "Semantics",
            "Statistics",
            "kripke",
        ),
        "model.composition": ("Composition",),
        "model.part": ("Part", "PartBuilder"),
        "model.space": ("StateSpace",),
        "session.findings": ("Validation",),
        "session.refining": ("simulates",),
        "session.validating": ("validate",),
    },
)

__all__ = [
    "RSM",
    "Certificate",
    "CheckError",
    "Composition",
    "DeadEnds",
    "Formula",
    "FormulaError",
    "InputError",
    "InternalError",
    "ModelBuilder",
    "ModelError",
    "Names",
    "Part",
    "PartBuilder",
    "PigroError",
    "Positions",
    "Satisfying",
    "Semantics",
    "StateSpace",
    "Statistics",
    "System",
    "UsageError",
    "Validation",
    "Verdict",
    "__version__",
    "check",
    "check_all",
    "check_certificates",
    "compose_check",
    "kripke",
    "load",
    "parse",
    "read_formulas",
    "satisfying",
    "save",
    "simulates",
    "validate",
]


def __getattr__(name: str) -> object:
    if name == "batch":
        from importlib import import_module

        return import_module("pigro.batch")
    return _load_core() if name == "_core" else _find(name)


def _load_core() -> object:
    """The native core. Signals wait until it is loaded: on the way they would end the process."""
    import signal
    from importlib import import_module

    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        return import_module("pigro._core")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
