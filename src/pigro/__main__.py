"""`python -m pigro` is the command `pigro`, and so is the script of that name."""

import sys


def main() -> None:
    """Runs the command. Ctrl-C while it is still being imported has its exit code too."""
    try:
        from pigro.cli.main import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command()


if __name__ == "__main__":
    main()
