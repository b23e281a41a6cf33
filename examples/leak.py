"""A program with two faults, for `pigro scan`: a descriptor leaks, and a lock is held too long."""

import os
import threading
import time

lock = threading.Lock()


def write_all(fd, data):
    """Writes, but does not close."""
    while data:
        data = data[os.write(fd, data) :]


def save(path, data):
    """Forgets the descriptor if there is nothing to write."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    if not data:
        return False
    write_all(fd, data)
    os.close(fd)
    return True


def retry(action):
    """Waits a second, three calls away from the lock."""
    time.sleep(1)
    action()


def refresh():
    """Nobody else gets the lock meanwhile."""
    with lock:
        retry(print)
