"""Results -> text for people, JSON for programs. Modules are imported where they are needed."""
