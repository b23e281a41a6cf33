"""The engine `game`: the mu-calculus on systems of parts, composed only where it matters.

After [Shoham2010].
"""

from pigro.engines.game.checking import METHODS, compose_check
from pigro.engines.game.engine import GAME, GameEngine
from pigro.verdict.verdict import CompositionVerdict

__all__ = ["GAME", "METHODS", "CompositionVerdict", "GameEngine", "compose_check"]
