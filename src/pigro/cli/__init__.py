"""The command `pigro`: one file per subcommand, and what they share.

A command line becomes a `Request` (check.py), which is read and validated as a whole into a
`Question` (inputs.py); checking.py asks it; results.py sends the answers where they belong.
failures.py turns everything that goes wrong into a message and an exit code.
"""
