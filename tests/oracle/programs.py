"""Random functions of Python with every kind of statement, and all their runs.

Conditions are calls of `c`, which the caller decides: false, true, or an exception. `runs` executes
a function under `sys.settrace` once for each sequence of decisions, up to a bound.
"""

import dis
import random
import sys

_HEAD = """\
class Manager:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return C()
def helper(c):
    if c():
        raise KeyError(1)
    return 1
def twice(c):
    yield 1
    x = c()
    yield x
async def later(c):
    if c():
        return 2
    return 3
"""
_YIELDS = {dis.opmap["YIELD_VALUE"]}
if sys.version_info >= (3, 13):  # a generator waits at the instruction after it
    _YIELDS.add(dis.opmap["RESUME"])


class Writer:
    """Writes one function."""

    def __init__(self, rng, number, *, is_async):
        self.rng, self.number, self.is_async = rng, number, is_async
        self.lines, self.loops, self.count = [], 0, 0

    def add(self, depth, text):
        self.lines.append("    " * depth + text)

    def block(self, depth, most=3):
        for _ in range(self.rng.randint(1, most)):
            self.statement(depth)

    def statement(self, depth):
        self.count += 1
        simple = [
            "assign",
            "call",
            "boolean",
            "ternary",
            "walrus",
            "comp",
            "lambda",
            "aug",
            "pass",
            "delete",
            "star",
            "compare",
        ]
        jumps = ["return", "raise", "assert"] + (["break", "continue"] if self.loops else [])
        compound = [
            "if",
            "while",
            "for",
            "try",
            "final",
            "with",
            "match",
            "nested",
            "gen",
            "withs",
            "tryelse",
        ]
        kinds = simple * 2 + jumps + (["await"] * 2 if self.is_async else [])
        if depth < 4 and self.count < 14:
            kinds += compound * 2
        getattr(self, "do_" + self.rng.choice(kinds))(depth)

    def do_assign(self, depth):
        self.add(depth, "x = c()")

    def do_call(self, depth):
        self.add(depth, "y = helper(c)")

    def do_boolean(self, depth):
        self.add(depth, "x = c() and c() or helper(c)")

    def do_compare(self, depth):
        self.add(depth, "x = 0 <= c() <= c()")

    def do_ternary(self, depth):
        self.add(depth, "x = c() if c() else helper(c)")

    def do_walrus(self, depth):
        self.add(depth, "print_((x := c()), x)")

    def do_comp(self, depth):
        self.add(depth, "x = [helper(c) for z in (1, 2) if c()]")

    def do_lambda(self, depth):
        self.add(depth, "x = (lambda a=c(): a)")

    def do_aug(self, depth):
        self.add(depth, "n = 1")
        self.add(depth, "n += c()")

    def do_pass(self, depth):
        self.add(depth, "pass")

    def do_delete(self, depth):
        self.add(depth, "t = c()")
        self.add(depth, "del t")

    def do_star(self, depth):
        self.add(depth, "a, *b = c(), 1, 2")

    def do_await(self, depth):
        self.add(depth, "x = await later(c)")

    def do_return(self, depth):
        self.add(depth, self.rng.choice(["return", "return c()", "return helper(c)"]))

    def do_raise(self, depth):
        self.add(
            depth,
            self.rng.choice(
                ["raise ValueError(1)", "raise KeyError", "raise ValueError from None"]
            ),
        )

    def do_assert(self, depth):
        self.add(depth, "assert c(), helper(c)")

    def do_break(self, depth):
        self.add(depth, "break")

    def do_continue(self, depth):
        self.add(depth, "continue")

    def do_if(self, depth):
        self.add(depth, self.rng.choice(["if c():", "if c() and not c():", "if c() or helper(c):"]))
        self.block(depth + 1)
        if self.rng.random() < 0.4:
            self.add(depth, "elif c():")
            self.block(depth + 1, 2)
        if self.rng.random() < 0.5:
            self.add(depth, "else:")
            self.block(depth + 1, 2)

    def loop(self, depth, head):
        self.add(depth, head)
        self.loops += 1
        self.block(depth + 1)
        self.loops -= 1
        if self.rng.random() < 0.3:
            self.add(depth, "else:")
            self.block(depth + 1, 1)

    def do_while(self, depth):
        self.loop(depth, "while c():")

    def do_for(self, depth):
        self.loop(depth, "for i in range(2):")

    def do_gen(self, depth):
        self.add(depth, "for v in twice(c):")
        self.add(depth + 1, "x = v")

    def do_try(self, depth):
        self.add(depth, "try:")
        self.block(depth + 1)
        for kind in self.rng.sample(
            ["KeyError", "ValueError as e", "(KeyError, TypeError)", "Exception"],
            self.rng.randint(1, 2),
        ):
            self.add(depth, f"except {kind}:")
            self.block(depth + 1, 2)
            if self.rng.random() < 0.2:
                self.add(depth + 1, "raise")

    def do_tryelse(self, depth):
        self.do_try(depth)
        self.add(depth, "else:")
        self.block(depth + 1, 2)
        if self.rng.random() < 0.5:
            self.final(depth)

    def do_final(self, depth):
        self.add(depth, "try:")
        self.block(depth + 1)
        self.final(depth)

    def final(self, depth):
        self.add(depth, "finally:")
        loops, self.loops = self.loops, 0
        self.block(depth + 1, 2)
        self.loops = loops

    def do_with(self, depth):
        self.add(depth, "with Manager() as m:")
        self.block(depth + 1)

    def do_withs(self, depth):
        self.add(depth, "with Manager(), Manager():")
        self.block(depth + 1, 2)

    def do_match(self, depth):
        self.add(depth, "match c():")
        self.add(depth + 1, "case 0:")
        self.block(depth + 2, 2)
        self.add(depth + 1, "case q if c():")
        self.block(depth + 2, 2)
        if self.rng.random() < 0.5:
            self.add(depth + 1, "case _:")
            self.block(depth + 2, 2)

    def do_nested(self, depth):
        name = f"inner{self.number}_{self.count}"
        loops, self.loops = self.loops, 0
        is_async, self.is_async = self.is_async, False
        self.add(depth, f"def {name}(c):")
        self.block(depth + 1, 2)
        self.loops, self.is_async = loops, is_async
        self.add(depth, f"x = {name}(c)")


def program(seed, functions=5):
    """The text of a module, and the names of its functions."""
    rng = random.Random(seed)
    lines, names = [_HEAD.rstrip("\n")], []
    for number in range(functions):
        is_async = rng.random() < 0.25
        writer = Writer(rng, number, is_async=is_async)
        writer.block(1, 4)
        names.append(f"f{number}")
        lines += [f"{'async ' if is_async else ''}def f{number}(c):", *writer.lines]
    return "\n".join(lines) + "\n", names


def _decider(tape, used):
    def c():
        number = len(used)
        used.append(tape[number] if number < len(tape) else 0)
        if used[-1] == 2:
            raise ValueError(2)
        return used[-1]

    return c


def runs(text, name, file, most=60):
    """The observed runs of a function: each is the item tree of its frame."""
    pending, found = [()], []
    while pending and len(found) < most:
        tape = pending.pop()
        used = []
        found.append(_observed(text, name, file, _decider(tape, used)))
        if len(used) < 9:
            for at in range(len(tape), len(used)):
                pending += [(*used[:at], value) for value in (1, 2)]
    return found


class Frame:
    """One invocation, or one part of a generator's: lines, calls, and how it ended."""

    def __init__(self, name, resumed):
        self.name, self.resumed, self.items, self.ended = name, resumed, [], "raise"


def _observed(text, name, file, c):
    scope = {"C": c, "print_": lambda *_: None}
    exec(compile(text, file, "exec"), scope)
    stack, roots, started = [], [], set()

    def trace(frame, event, argument):
        if frame.f_code.co_filename != file or frame.f_code.co_name in {"<listcomp>", "<lambda>"}:
            return None
        if event == "call":
            made = Frame(frame.f_code.co_name, id(frame) in started)
            started.add(id(frame))
            keep.append(frame)
            (stack[-1].items if stack else roots).append(made)
            stack.append(made)
            return trace
        if event == "line":
            if _is_cleaning(frame):
                return trace
            stack[-1].items.append(frame.f_lineno)
        elif event == "exception":
            stack[-1].ended = "raise"
            frame_raised.add(id(frame))
        elif event == "return":
            opcode = frame.f_code.co_code[frame.f_lasti]
            ended = "yield" if opcode in _YIELDS else "return"
            if argument is None and _left_by_exception(frame):
                ended = "raise"
            stack.pop().ended = ended
        return trace

    keep, frame_raised = [], set()
    sys.settrace(trace)
    try:
        made = scope[name](c)
        if hasattr(made, "send"):
            made.send(None)
    except Exception:  # noqa: BLE001 - whatever the program raises is a way to end
        pass
    finally:
        sys.settrace(None)
    return roots[0]


_RETURNS = {
    dis.opmap["RETURN_VALUE"],
    dis.opmap.get("RETURN_CONST", -1),
    dis.opmap.get("RETURN_GENERATOR", -1),
}


def _is_cleaning(frame):
    """Whether what runs is the end of a `finally` that raises, which has whatever line.

    From Python 3.12 on, comprehensions run in the frame of their function. When they raise, they
    give their names back first.
    """
    code, at = frame.f_code.co_code, frame.f_lasti
    names = [dis.opname[each] for each in code[at::2]]
    if names[0] == "RERAISE" or names[:2] == ["COPY", "POP_EXCEPT"]:
        return True
    after = next((each for each in names if not each.startswith(("SWAP", "STORE_"))), None)
    return names[0] == "SWAP" and after == "RERAISE"


def _left_by_exception(frame):
    return frame.f_code.co_code[frame.f_lasti] not in _RETURNS | _YIELDS
