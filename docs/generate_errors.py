"""Writes docs/errors.md from the catalogue of diagnostics: `python docs/generate_errors.py`."""

from pathlib import Path

from pigro.diagnostics import CATALOGUE

_HEAD = """\
# Errors

Every error that Pigro reports has a stable code. The command line shows it in brackets. In Python it is `error.code`,
and `error.position` and `error.hint` say where the error is and what you can do. All errors are `pigro.PigroError`.
The exit code of the command line is 2. For faults in Pigro (P9xx) it is 4.

<!-- Written by docs/generate_errors.py from pigro.diagnostics.CATALOGUE; do not edit. -->
"""
_GROUPS = {
    "P0": "Usage and files (`UsageError`)",
    "P1": "File formats (`InputError`)",
    "P2": "Models (`ModelError`)",
    "P3": "Formulas (`FormulaError`)",
    "P4": "Checking (`CheckError`)",
    "P5": "Certificates (`InputError`)",
    "P9": "Pigro itself (`InternalError`)",
}


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for prefix, title in _GROUPS.items():
        rows = [
            f"| {each.code} | {each.title} | {each.meaning} |"
            for each in CATALOGUE.values()
            if each.code.startswith(prefix)
        ]
        parts.append(
            "\n".join([f"\n## {title}\n", "| code | | meaning |", "|---|---|---|", *rows, ""])
        )
    listed = sum(part.count("\n| P") for part in parts)
    assert listed == len(CATALOGUE), "every code belongs to a group"
    return "".join(parts)


if __name__ == "__main__":
    (Path(__file__).parent / "errors.md").write_text(page(), encoding="utf-8")
