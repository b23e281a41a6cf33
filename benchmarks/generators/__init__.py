"""Generators of models that do not come from files: programs, modules, structures, games."""
