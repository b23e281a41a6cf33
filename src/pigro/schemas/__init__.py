"""The JSON schemas of all documents, made from their types by `make schemas`."""
