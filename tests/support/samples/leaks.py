"""Small programs with faults, for tests of `pigro scan`."""

LEAK = """\
import os


def read_header(path):
    fd = os.open(path, os.O_RDONLY)
    head = os.read(fd, 16)
    if not is_known(head):
        return None
    os.close(fd)
    return head


def is_known(head):
    return head[:4] == b"PIGR"
"""
"""A descriptor that is not closed on one way. The finding is on line 5, the decisive step on 8."""

SAFE = """\
import os


def size(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.fstat(fd).st_size
    finally:
        os.close(fd)
"""

GIVEN = """\
import os


def give(path, keep):
    fd = os.open(path, os.O_RDONLY)
    keep(fd)
"""

HELPERS = """\
import os


def first(path):
    fd = os.open(path, os.O_RDONLY)
    letter = checked(fd)
    if letter:
        os.close(fd)
    return letter


def checked(fd):
    letter = os.read(fd, 1)
    return letter
"""
"""The run goes through a call."""
