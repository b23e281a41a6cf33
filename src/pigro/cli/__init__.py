"""The command `pigro`: one file per subcommand, and what they share.

A command line becomes a `Request` (check.py). `output.py` lets `pigro.session` read and ask it, and
sends the answers where they belong. `failures.py` makes a message and an exit code of each error.
"""
