"""Rules of `pigro scan`: TOML to `Rule`, and templates to formulas."""

from pigro.rules.reading import built_in, read_rules
from pigro.rules.rule import Rule

__all__ = ["Rule", "built_in", "read_rules"]
