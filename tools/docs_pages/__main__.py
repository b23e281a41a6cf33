"""Rewrites the pages: `python tools/docs_pages`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docs_pages import filled, pages

for page in pages():
    old = page.read_text(encoding="utf-8")
    new = filled(old)
    if new != old:
        page.write_text(new, encoding="utf-8")
        print(f"wrote {page.name}")
