"""Programs to graphs: files of a language are read, never executed."""
