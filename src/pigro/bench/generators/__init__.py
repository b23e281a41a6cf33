"""What is measured, where it does not come from files: programs, modules, structures, games."""
