"""`python -m pigro` is the command `pigro`."""

from pigro.cli.main import main

if __name__ == "__main__":
    main()
