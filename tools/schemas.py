"""Writes the JSON schemas of the package, from the types that documents are read and written with.

Descriptions are the docstrings of the types and of their fields. `make schemas` runs this. A test
compares the files with what it makes.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from pigro.batch import exporting
from pigro.evidence.kinds import KINDS, kind_named
from pigro.formats import model_data
from pigro.render import data as told
from pigro.render import measurements
from pigro.render.findings import json as scan_json
from pigro.scan.project import baseline
from pigro.session import results

HOME = Path(__file__).parents[1] / "src" / "pigro" / "schemas"
DOCUMENTS: dict[str, tuple[str, Any]] = {
    "automaton": ("The automaton of pigro label", told.AutomatonData),
    "bench": ("What pigro bench measured", measurements.MeasurementsData),
    "batch": ("A row of an export of pigro batch", exporting.ExportRow),
    "certificates": ("Certificates that were checked", told.CertificatesData),
    "composition": ("Results of pigro compose", results.CompositionResults),
    "explanation": ("Where a formula and its parts are true", told.ExplanationData),
    "model": ("A model as JSON, with what Pigro knows about it", model_data.ModelData),
    "result": ("Results of pigro check", results.Whole),
    "scan": ("Findings of pigro scan", scan_json.ScanData),
    "baseline": ("Findings that are known to pigro scan", baseline.Baseline),
    "validation": ("Evidence that was checked", told.ValidationData),
    **{
        row.schema.removeprefix("pigro.").partition("/")[0]: (row.title, kind_named(name).data)
        for name, row in KINDS.items()
        if row.schema is not None
    },
}


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a kind of document."""
    title, kind = DOCUMENTS[name]
    made = msgspec.json.schema(kind)
    parts = made.pop("$defs")
    root = made.pop("$ref").rpartition("/")[2]
    for each in structs(kind):
        if each.__name__ in parts:
            describe(parts[each.__name__], each)
    whole = {**parts.pop(root), **made}
    [version] = whole["properties"]["schema"]["enum"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{version.replace('.', ':').replace('/', ':')}",
        **whole,
        "title": title,
        "$defs": dict(sorted(parts.items())),
    }


def structs(kind: Any) -> set[type[msgspec.Struct]]:
    """All structs that a type is made of."""
    found: set[type[msgspec.Struct]] = set()
    pending = [kind]
    while pending:
        at = pending.pop()
        if isinstance(at, type) and issubclass(at, msgspec.Struct) and at not in found:
            found.add(at)
            pending += get_type_hints(at, include_extras=True).values()
        pending += get_args(at)
    return found


def describe(part: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    """Puts the docstrings of a type and its fields into its schema."""
    del part["title"]
    part["description"] = " ".join((kind.__doc__ or "").split())
    written = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    for owner in reversed(kind.__mro__):
        if owner is not msgspec.Struct and issubclass(owner, msgspec.Struct):
            for field, text in docstrings(owner).items():
                part["properties"][written[field]]["description"] = text


def docstrings(kind: type) -> dict[str, str]:
    """The texts below the fields of a class."""
    [declared] = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(declared, ast.ClassDef)
    found, field = {}, ""
    for each in declared.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            field = each.target.id
        elif field and isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            found[field] = " ".join(str(each.value.value).split())
    return found


def text(name: str) -> str:
    """The file."""
    return json.dumps(schema(name), indent=1) + "\n"


if __name__ == "__main__":
    for each in DOCUMENTS:
        (HOME / f"{each}.schema.json").write_text(text(each))
