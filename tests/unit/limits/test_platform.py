"""What only Linux has is asked for in few places, so a port knows where to begin."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "src/pigro"
MODULES = {"signal", "resource", "fcntl"}
FUNCTIONS = {
    "fork",
    "kill",
    "killpg",
    "getppid",
    "sysconf",
    "setsid",
    "forkpty",
    "register_at_fork",
}
PLACES = {
    "limits/system.py",  # memory, groups of processes, signals, locks
    "limits/processes.py",  # copies of this process, and programs that are asked over pipes
    "__init__.py",  # no signal while the core is loaded, which `limits` needs
    "cli/stopping.py",  # what SIGTERM means to the command: imported before everything else
    "explore/serving.py",  # the signals that end the server, by asyncio
}


def asks_the_system(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    texts = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    return any(is_of_linux(each) and id(each) not in texts for each in ast.walk(tree))


def is_of_linux(node):
    match node:
        case ast.Attribute(value=ast.Name(id="os"), attr=name):
            return name in FUNCTIONS
        case ast.Import(names=names):
            return any(each.name in MODULES for each in names)
        case ast.ImportFrom(module=module):
            return module in MODULES
        case ast.Call(func=ast.Name(id="get_context"), args=[ast.Constant(value="fork")]):
            return True
        case ast.Constant(value=str(text)):
            return "/proc/" in text
    return False


def test_the_places_that_ask_the_system():
    asking = {
        str(file.relative_to(PACKAGE)) for file in PACKAGE.rglob("*.py") if asks_the_system(file)
    }
    assert asking == PLACES


def test_the_native_places():
    files = [*(ROOT / "native").rglob("*.cpp"), *(ROOT / "native").rglob("*.hpp")]
    asking = {
        str(file.relative_to(ROOT / "native"))
        for file in files
        if "tests" not in file.parts
        and re.search(
            r"#include <(unistd|sys/\w+|fcntl|signal)\.h>|/proc/", file.read_text("utf-8")
        )
    }
    assert asking == {"bind/lock.hpp", "core/base/bits.hpp", "core/check/batch.cpp"}
