"""The part of SARIF 2.1.0 that Pigro writes, as a schema of our own.

It says which properties an object must have and which it may have, with types and limits from the
standard. Unlike the schema of OASIS, it allows no property that we do not write, so that a slip in a
name is an error here.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def made_of(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


def array(of: Schema, least: int = 0) -> Schema:
    return {"type": "array", "items": of, "minItems": least}


TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 1}
INDEX = {"type": "integer", "minimum": 0}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = made_of({"text": TEXT})
BAG = {"type": "object"}
ARTIFACT = made_of({"uri": {"type": "string", "format": "uri-reference"}}, {"uriBaseId": TEXT})
REGION = made_of(
    {"startLine": NUMBER},
    {"startColumn": NUMBER, "endLine": NUMBER, "endColumn": NUMBER, "snippet": MESSAGE},
)
PLACE = made_of({"artifactLocation": ARTIFACT}, {"region": REGION})
LOCATION = made_of(
    {},
    {
        "physicalLocation": PLACE,
        "logicalLocations": array(made_of({"fullyQualifiedName": TEXT}), 1),
        "message": MESSAGE,
    },
)
STEP = made_of(
    {
        "location": LOCATION,
        "nestingLevel": INDEX,
        "importance": {"enum": ["important", "essential", "unimportant"]},
    }
)
FLOW = made_of({"threadFlows": array(made_of({"locations": array(STEP, 1)}), 1)})
RESULT = made_of(
    {
        "ruleId": TEXT,
        "ruleIndex": INDEX,
        "level": LEVEL,
        "message": MESSAGE,
        "locations": array(LOCATION),
        "partialFingerprints": {"type": "object", "additionalProperties": TEXT},
        "properties": BAG,
    },
    {"codeFlows": array(FLOW, 1)},
)
RULE = made_of(
    {
        "id": TEXT,
        "shortDescription": MESSAGE,
        "fullDescription": MESSAGE,
        "defaultConfiguration": made_of({"level": LEVEL, "enabled": {"type": "boolean"}}),
        "properties": BAG,
    },
    {"help": MESSAGE},
)
NOTIFICATION = made_of({"level": LEVEL, "message": MESSAGE}, {"locations": array(LOCATION, 1)})
RUN = made_of(
    {
        "tool": made_of({"driver": made_of({"name": TEXT, "version": TEXT, "rules": array(RULE)})}),
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "invocations": array(
            made_of(
                {"executionSuccessful": {"type": "boolean"}},
                {"toolExecutionNotifications": array(NOTIFICATION, 1)},
            ),
            1,
        ),
        "results": array(RESULT),
    }
)
LOG = made_of(
    {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": array(RUN, 1),
    }
)
