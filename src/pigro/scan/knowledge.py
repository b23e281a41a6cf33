"""What is known about functions of the standard library. It only makes findings better.

A function that is not here may raise, keeps its arguments, and returns a value of its own.
"""

from __future__ import annotations

EXCEPTION_ALIASES = {
    "socket.error": "OSError",
    "socket.timeout": "TimeoutError",
    "socket.gaierror": "OSError",
    "socket.herror": "OSError",
    "select.error": "OSError",
    "os.error": "OSError",
    "IOError": "OSError",
    "EnvironmentError": "OSError",
    "WindowsError": "OSError",
    "shutil.Error": "OSError",
    "mmap.error": "OSError",
    "ssl.SSLError": "OSError",
    "urllib.error.URLError": "OSError",
    "urllib.error.HTTPError": "OSError",
    "asyncio.TimeoutError": "TimeoutError",
    "concurrent.futures.TimeoutError": "TimeoutError",
    "json.JSONDecodeError": "ValueError",
    "json.decoder.JSONDecodeError": "ValueError",
    "binascii.Error": "ValueError",
}
"""Exceptions under another name, or by the builtin that they are derived from."""

NEVER_RAISE = frozenset(
    """
    len isinstance hasattr callable id type print repr super bool list dict set tuple issubclass str
    object frozenset range enumerate zip sorted time.time time.monotonic os.getpid threading.Lock
    threading.RLock threading.Event threading.Condition threading.current_thread os.path.join
    os.path.exists os.path.isfile os.path.isdir os.path.isabs os.path.basename os.path.dirname
    os.path.abspath warnings.warn collections.deque collections.OrderedDict collections.defaultdict
    traceback.print_exc traceback.format_exc sys.exc_info socket.socket.close threading.Lock.release
    threading.Lock.acquire threading.RLock.release threading.RLock.acquire
    """.split()
)
"""Functions that raise nothing that a program would handle."""

NEVER_RAISE_METHODS = frozenset(
    """
    append debug info warning error exception critical log warn close add setdefault items keys
    values strip lower upper startswith endswith copy clear release acquire update extend discard
    popleft appendleft is_set set notify notify_all
    """.split()
)
"""Methods of whatever object."""

KEEPING_METHODS = frozenset({"makefile"})
"""Methods whose result keeps the object and is used in its place."""

IN_MEMORY = frozenset({"io.BytesIO", "io.StringIO", "StringIO.StringIO", "cStringIO.StringIO"})
"""Makes a file that holds memory only. What reads from it need not be closed."""

CONSUMING = frozenset(
    """
    pop popleft popitem read read1 readline recv recvfrom recv_bytes next __next__ get_nowait
    """.split()
)
"""Functions and methods that are also called to move on, without a look at the result."""

EMPTY = frozenset({"set", "dict", "list", "tuple", "frozenset", "str", "bytes", "bytearray"})
"""Functions that make an empty value when they get no argument."""

LOOK_ONLY = frozenset(
    """
    len isinstance print repr str type id hasattr getattr bool callable iter next hash int
    issubclass sum min max any all setattr
    """.split()
)
"""Functions that keep none of their arguments."""
