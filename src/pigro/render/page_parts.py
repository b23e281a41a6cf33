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
