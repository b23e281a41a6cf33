"""Ctrl-C after some work, however busy the machine is."""

import contextlib
import signal


@contextlib.contextmanager
def ctrl_c_after(seconds):
    """Sends SIGINT once, when the process has worked for these CPU seconds.

    SIGINT interrupts, also where the tests run in the background. Hypothesis has a callback of the
    garbage collector, and an interrupt in a callback is lost. It is sent again then.
    """

    def interrupt(_signal, frame):
        if frame is not None and frame.f_code.co_name == "gc_callback":
            signal.setitimer(signal.ITIMER_PROF, seconds)
        else:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    other = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, other)
        signal.signal(signal.SIGINT, before)
