"""`python -m pigro` is the command `pigro`, and so is the script of that name."""

import sys


def main() -> None:
    """Runs the command. A signal before it can handle that itself has its exit code too.

    Before these lines, while the interpreter starts, signals are the interpreter's.
    """
    try:
        from pigro.cli.stopping import listen

        listen()
        from pigro.cli.main import main as command

        command()
    except KeyboardInterrupt as stop:
        sys.exit(143 if type(stop).__name__ == "Terminated" else 130)


if __name__ == "__main__":
    main()
