"""From text to modules and expressions: tokens, grammar, and their faults."""
