"""Models as bytes, for pickles and `.pigro` files: sections, and what is packed into them."""
