"""The explorer: a model in the browser, served by this machine to this machine only (0056)."""
