"""Tokens and their places, in texts of several blocks."""

import pytest

from pigro.formats.smv.syntax.text import TokenText

LINE = "  state = s1 : {s2, s3}; -- two of them\n"


def many(lines):
    """A text of many blocks whose last one has no token."""
    return LINE * lines + "-- the end\n" * lines


@pytest.mark.parametrize("comment", ["", "/-- over\nlines --/ "])
def test_places_are_found_in_any_block(comment):
    text = TokenText(comment + many(1000))
    assert len(text.tokens) == 1000 * 10 + 1
    first = 1 + comment.count("\n")
    for number in (0, 9, 10, 1234, 5005, 9999):
        place = text.position(number)
        assert place.line == first + number // 10
        assert place.text[place.column - 1 :].startswith(text.tokens[number])


def test_the_end_is_after_the_last_token():
    place = TokenText(many(1000)).position(10_000)
    assert (place.line, place.column) == (1000, LINE.index("--"))


def test_excerpts_and_spans_of_later_blocks():
    text = TokenText(many(1000))
    assert text.excerpt(5000, 5003) == (501, "state = s1")
    assert text.excerpt(9000, 9009) == (901, "state = s1 : {s2, s3}")
    assert text.spans({5002, 9000}) == {5002: (501, 11, 501, 13), 9000: (901, 3, 901, 8)}


def test_an_empty_text_has_an_end():
    assert TokenText("").position(0).line == 1
