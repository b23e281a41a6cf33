"""The front-end for Python: `ast` to graphs, a file at a time."""
