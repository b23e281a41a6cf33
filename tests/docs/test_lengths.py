"""The documentation stays short enough to be read: so many words in all, and so many for users."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 75_000
MOST_FOR_USERS = 45_000
FOR_OTHERS = {  # pages for researchers and contributors
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/algorithm-games.md",
    "docs/algorithm.md",
    "docs/certificate-format.md",
    "docs/certificate-rules.md",
    "docs/decisions.md",
    "docs/engines.md",
    "docs/papers.md",
    "docs/references.md",
    "docs/related.md",
    "docs/reliability.md",
    "docs/reproduce.md",
    "docs/scan-study.md",
    "docs/semantics.md",
    "docs/slips.md",
    "docs/study.md",
}


def words_by_page():
    """How many words each page has, as `wc -w` counts them."""
    pages = [
        *ROOT.glob("*.md"),
        *(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts),
        *(ROOT / "benchmarks").rglob("*.md"),
    ]
    return {
        page.relative_to(ROOT).as_posix(): len(page.read_text(encoding="utf-8").split())
        for page in pages
    }


def test_the_documentation_stays_short():
    every = words_by_page()
    assert set(every) >= FOR_OTHERS
    users = {name: words for name, words in every.items() if name not in FOR_OTHERS}
    for pages, most in (every, MOST), (users, MOST_FOR_USERS):
        total = sum(pages.values())
        assert total <= most, f"{total:,} words, {total - most:,} too many; {largest(pages)}"


def largest(pages):
    """The pages where a cut helps most."""
    names = sorted(pages, key=pages.get, reverse=True)[:8]
    return "the largest: " + ", ".join(f"{name} {pages[name]:,}" for name in names)


def test_the_largest_pages_are_named():
    assert largest({"short": 5, "long": 7_000}) == "the largest: long 7,000, short 5"
