"""The engine `game`: the mu-calculus on systems of parts, composed only where it matters.

After [Shoham2010].
"""
