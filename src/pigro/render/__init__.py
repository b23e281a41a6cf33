"""Results -> text for people, JSON for programs."""

from pigro.render.json import render_json
from pigro.render.report import Report
from pigro.render.text import TextStyle, render_text

__all__ = ["Report", "TextStyle", "render_json", "render_text"]
