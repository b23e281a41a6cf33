"""Known facts about functions of the standard library. They only make findings better.

A function that is not here may raise, keeps its arguments, and returns a value of its own.
"""

from __future__ import annotations

import re

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

EXCEPTION_LINES = {
    "subprocess.TimeoutExpired": ("subprocess.SubprocessError", "Exception", "BaseException"),
    "subprocess.CalledProcessError": ("subprocess.SubprocessError", "Exception", "BaseException"),
    "subprocess.SubprocessError": ("Exception", "BaseException"),
}
"""What exceptions of the standard library are derived from."""

HARMLESS_ARGUMENTS = {
    "decode": frozenset(
        {"latin-1", "latin1", "latin_1", "iso-8859-1", "iso8859-1", "iso8859_1", "cp437", "replace",
         "ignore", "backslashreplace", "surrogateescape"}
    ),
}  # fmt: skip
"""By method: constants that, as an argument, make it work for whatever object."""

KEEPING_METHODS = frozenset({"__index__", "makefile", "open"})
"""Methods whose result is the object, or keeps it and is used in its place."""

FILE_METHODS = ("read", "write", "seek", "fileno")
"""What programs ask for to know a file."""

NOT_HELD = frozenset(
    """
    str bytes bytearray list tuple dict set unicode basestring six.text_type six.string_types
    """.split()
)
"""Types whose objects hold nothing that must be released."""

WRAPPING = frozenset(
    """
    zipfile.ZipFile tarfile.open tarfile.TarFile gzip.open gzip.GzipFile bz2.open bz2.BZ2File
    lzma.open lzma.LZMAFile wave.open
    """.split()
)
"""Makes a file that reads from another one, and does not close that one."""

FOR_EFFECT = frozenset(
    """
    import import_module __import__ wait ensure require register subscribe check validate verify
    assert send execute run start bind connect load
    """.split()
)
"""Functions and first words of functions that are called for something else than their result."""

IN_MEMORY = frozenset({"io.BytesIO", "io.StringIO", "StringIO.StringIO", "cStringIO.StringIO"})
"""Makes a file that holds memory only. What reads from it need not be closed."""

CONSUMING = frozenset(
    """
    pop popleft popitem read read1 readline recv recvfrom recv_bytes next __next__ get_nowait
    consume skip
    """.split()
)
"""Functions and methods that are also called to move on, without a look at the result."""

EMPTY = frozenset({"set", "dict", "list", "tuple", "frozenset", "str", "bytes", "bytearray"})
"""Functions that make an empty value when they get no argument."""

EMPTY_CONTAINERS = frozenset(
    """
    collections.defaultdict collections.OrderedDict collections.Counter collections.deque
    """.split()
)
"""Classes whose new objects are empty if they get no argument. A `defaultdict` may get one."""

EMPTY_MODULES = frozenset(
    {"collections", "decimal", "fractions", "array", "queue", "numpy", "pandas"}
)
"""Modules with classes whose objects can be false."""

LOGGING = frozenset({"log", "debug", "info", "warn", "warning"})
"""Names of functions that write to a log, and are not believed to fail."""

RELEASING = frozenset(
    """
    close closing rmtree unlink remove rm delete cleanup terminate shutdown dispose discard
    """.split()
)
"""Words in names of functions that release the objects that they are given."""

MOVING = frozenset({"move", "mv", "rename", "replace"})
"""The same for functions that move the file that they are given."""

PATHS = frozenset(
    """
    str os.fspath os.fsdecode os.fsencode
    os.path.split os.path.basename os.path.relpath os.path.abspath os.path.realpath os.path.normpath
    os.path.normcase os.path.expanduser os.path.expandvars os.path.join
    pathlib.Path pathlib.PosixPath pathlib.PurePath
    .resolve .absolute .as_posix .joinpath .with_name .with_stem .with_suffix
    """.split()
)
"""Functions and methods that make a path from a path. With one argument most name the same file."""

INNER = frozenset(
    {".joinpath", ".with_name", ".with_stem", ".with_suffix", "os.path.split", "os.path.basename",
     "os.path.relpath"}
)  # fmt: skip
"""Those whose result is another path, even with one argument."""

TRUE_RESULTS = frozenset({"os.getcwd", "contextvars.ContextVar.set"})
"""Functions whose results are true."""

TRUE_PARTS = frozenset({"tempfile.mkstemp"})
"""Functions whose results have true elements only."""

OPENING = frozenset({"open", "io.open", "os.open", "codecs.open"})
"""Functions that fail if their first argument is empty or None."""

LOOK_ONLY = frozenset(
    """
    len isinstance print repr str type id hasattr getattr bool callable iter next hash int
    issubclass sum min max any all setattr
    """.split()
)
"""Functions that keep none of their arguments."""

TIME_OVER = "subprocess.TimeoutExpired"
"""What methods with a time limit raise when it is over."""

TIME_LIMITS = {"asyncio.wait_for": "TimeoutError"}
"""Functions that limit the time of an awaitable, and what they raise."""

TEMPORARY = re.compile(r"(^|_)(tmp|temp|temporary)_?(dir|directory|folder)?(_|$)", re.IGNORECASE)
"""In the name of a variable: it holds a temporary folder."""
