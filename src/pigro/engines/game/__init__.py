"""The engine `game`: the mu-calculus on systems of parts, composed only where it matters.

After [Shoham2010].
"""

from pigro.engines.game.engine import GAME, GameEngine

__all__ = ["GAME", "GameEngine"]
