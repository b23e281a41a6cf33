"""From text to modules and expressions: tokens, grammar, and what is wrong with them."""
