"""Scripts that other Pythons run to ask tools which are packages. They import nothing of Pigro."""
