"""Random changes of documents and programs."""
