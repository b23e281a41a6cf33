"""Results -> text for people, JSON for programs."""

from pigro.render.json import render_json
from pigro.render.text import Report, TextStyle, render_text

__all__ = ["Report", "TextStyle", "render_json", "render_text"]
