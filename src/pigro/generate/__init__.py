"""Random models, formulas, modules and pushdown systems, the same for the same seed everywhere.

Imports only model, logic and diagnostics. The shapes and their grid follow the scalability
experiment of [Dubslaff2024], section 7.2.
"""

from pigro.generate.formulas import FormulaShape, random_formula
from pigro.generate.models import ModelShape, random_model
from pigro.generate.modules import ModuleShape, random_modules
from pigro.generate.pushdown import PushdownShape, random_pushdown_system

__all__ = [
    "FormulaShape",
    "ModelShape",
    "ModuleShape",
    "PushdownShape",
    "random_formula",
    "random_model",
    "random_modules",
    "random_pushdown_system",
]
