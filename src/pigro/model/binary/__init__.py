"""Models as bytes, for pickles and `.pigro` files: sections, and their content."""
