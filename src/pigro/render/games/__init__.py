"""Games of the mu-calculus as text and as a page to play on."""
