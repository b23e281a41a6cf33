"""What tests share: a folder for each purpose. `pyproject.toml` puts `tests` on the path."""
