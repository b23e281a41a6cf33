"""`python -m pigro` is the command `pigro`, and so is the script of that name."""

import sys

_INTERRUPTED, _TERMINATED = 130, 143


def main() -> None:
    """Runs the command. A signal before it can handle that itself has its exit code too.

    Before these lines, while the interpreter starts, signals are the interpreter's.
    """
    try:
        from pigro.cli.stopping import listen

        listen()
        from pigro.cli.main import main as command

        command()
    except SystemExit as end:
        if end.code in {_INTERRUPTED, _TERMINATED}:
            _end(end.code)
        raise
    except BaseException as error:
        for stop in (error, error.__cause__):  # Python 3.11 wraps it where a class ends
            if isinstance(stop, KeyboardInterrupt):
                _end(_TERMINATED if type(stop).__name__ == "Terminated" else _INTERRUPTED)
        raise


def _end(code: int) -> None:
    """Ends the process with this code.

    The interpreter would end it by the signal if a KeyboardInterrupt ever came out of code that it
    compiled on the way, as dataclasses do.
    """
    import os
    from contextlib import suppress

    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
