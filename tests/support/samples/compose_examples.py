"""Parts to compose, and the results of `pigro compose` as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

import pigro

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCHEMA = json.loads(
    (Path(pigro.__file__).parent / "schemas" / "composition.schema.json").read_bytes()
)
HANDSHAKE, VENDING = str(EXAMPLES / "handshake.parts"), str(EXAMPLES / "vending.parts")
SENDER, RECEIVER = str(EXAMPLES / "sender.smv"), str(EXAMPLES / "receiver.smv")
HOLDS, FAILS = "EF busy", "AG (request -> busy)"
OPEN = """
part sure
  labels p
  state s { p? } initial
  s ~> s
"""


def result_of(run, *args):
    """The document that `pigro compose` writes, valid by its schema."""
    done = run("compose", *args, "--format", "json")
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document
