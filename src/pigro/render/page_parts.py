"""Files of pages, and their hashes for the policy of a page."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files


def page_file(name: str) -> str:
    """A script or a style of the package."""
    return files("pigro.render").joinpath("page", name).read_text(encoding="utf-8")


def page_hash(text: str) -> str:
    """How a policy names a script or a style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def whole_page(title: str, style: str, body: str, *, script: str | None = None) -> bytes:
    """A whole page, in UTF-8. Its policy allows this style and this script, and nothing else."""
    scripts = "" if script is None else f"script-src '{page_hash(script)}'; "
    policy = (
        f"default-src 'none'; {scripts}style-src '{page_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    made = _PAGE.format(policy=policy, title=title, style=style, body=body)
    return made.encode("utf-8", "backslashreplace")
