"""`.smv` files of bad will: an error with a code and a place, or a model, never anything else."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time

import pytest

from pigro import PigroError
from pigro.diagnostics import render_error
from pigro.formats import smv
from pigro.formats.smv.space import ListingBounds

from support.processes.children import PATIENCE, counts_memory

SMALL = b"""\
MODULE main
VAR x : 0..3; s : {a, b, -1}; r : boolean; -- some
DEFINE p := s in {a, EXIT}; q := !p & x + 1 < 3; both := q <-> r;
CALL sub := s = b & x = 1;
ASSIGN
  init(x) := 0; next(x) := case x = 1 : {2, 3}; x in {2, 3} & r : 0; TRUE : (x + 1) mod 4; esac;
  init(s) := a; next(s) := r ? b : {a, -1} union {b};
  r := x > 1;
SPEC AG (p -> EF q) & !(x = 2 & A [r U s = b])
LTLSPEC G F x = 1 -> (p U X q) V !r
MODULE sub
VAR s : {u, v};
DEFINE q := s = EXIT; /-- a
comment --/
ASSIGN init(s) := u; next(s) := case s = u : {v, EXIT}; s = v : EXIT; esac;
CTLSPEC NAME ends := EF q;
"""
WORDS = (
    b"(", b")", b"{", b"}", b"[", b"]", b";", b":", b":=", b",", b"..", b"case", b"esac", b"next(", b"init", b"MODULE",
    b"VAR", b"SPEC ", b"CALL", b"EXIT", b"TRUE", b"-", b"--", b"/--", b"--/", b"?", b"!", b"&", b"->", b" x ", b"s", b"main",
    b"\xff", b"\xc3\xa9", b"\x00", b"\x1b[31m", b"9" * 30, b"0", b"mod", b"in", b"union", b"E [", b" U ", b"AG ", b"LTLSPEC ", b" F ", b" V ", b" W ", b" S ", b" A ", b"G [", b"\r", b"\n", b".",
)  # fmt: skip


def outcome(data: bytes) -> str:
    """The code of the error or "model". All else escapes and fails the test."""
    try:
        document = smv.SmvDocument(data, source="hostile.smv", bounds=ListingBounds(5000, 50_000))
        model = document.model()
        document.requirements(model)
        assert not model.is_listed or model.statistics.nodes >= 1
    except PigroError as error:
        assert_readable(error)
        return error.code
    return "model"


def assert_readable(error: PigroError) -> None:
    assert re.fullmatch(r"P\d{3}", error.code)
    assert str(error).isprintable(), ascii(str(error))
    assert len(str(error)) < 2000
    shown = render_error(error)
    assert all(line.isprintable() for line in shown.split("\n")), ascii(shown)
    assert error.position is not None
    assert error.position.line >= 1
    assert error.position.column >= 1
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None


def test_the_small_file_itself():
    assert outcome(SMALL) == "model"


def test_truncated_at_every_byte():
    codes = {outcome(SMALL[:length]) for length in range(len(SMALL))}
    assert codes >= {"P121", "P123", "model"}


def test_every_byte_left_out():
    assert "P121" in {outcome(SMALL[:at] + SMALL[at + 1 :]) for at in range(len(SMALL))}


@pytest.mark.parametrize("start", range(0, 1000, 500))
def test_random_changes(start: int):
    for seed in range(start, start + 500):
        rng = random.Random(seed)
        data = bytearray(SMALL)
        for _ in range(rng.choice((1, 1, 2, 5, 20))):
            at = rng.randrange(len(data))
            kind = rng.randrange(4)
            if kind == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 1:
                begin = rng.randrange(len(data))
                data[at:at] = data[begin : begin + rng.randrange(1, 30)]
            elif kind == 2:
                del data[at : at + rng.randrange(1, 9)]
            else:
                data[at:at] = b" " * rng.randrange(2) + rng.choice(WORDS)
        assert outcome(bytes(data)), seed


DEEP = 20_000
HEAD = "MODULE m VAR r : boolean; x : 0..1; "


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HEAD + "SPEC " + "(" * DEEP + "r" + ")" * DEEP, "model"),
        (HEAD + "SPEC " + "(" * DEEP + "r", "P121"),
        (HEAD + "SPEC " + "!" * DEEP + "r", "model"),
        (HEAD + "SPEC " + "!(" * DEEP + "r" + ")" * DEEP, "model"),
        (HEAD + "SPEC " + "r -> " * DEEP + "r", "model"),
        (HEAD + "SPEC " + "r & " * DEEP + "r", "model"),
        (HEAD + "SPEC " + "AG " * DEEP + "r", "P304"),
        (HEAD + "SPEC " + "x + " * DEEP + "1 = 1", "P129"),
        (HEAD + "SPEC x in " + "{" * DEEP + "1" + "}" * DEEP, "P129"),
        (HEAD + "SPEC " + "E [" * DEEP, "P121"),
        (HEAD + "SPEC " + "E [r U " * 200 + "r" + "]" * 200, "model"),
        (HEAD + "SPEC " + "E [r U " * DEEP + "r" + "]" * DEEP, "P304"),
        (HEAD + "SPEC " + "E [" * DEEP + "r" + " U r]" * DEEP, "P304"),
        (HEAD + "SPEC " + "E [case " * DEEP, "P121"),
        (HEAD + "SPEC " + "A [)" * DEEP, "P121"),
        (HEAD + "LTLSPEC " + "(" * DEEP + "F r" + ")" * DEEP, "model"),
        (HEAD + "LTLSPEC " + "!" * DEEP + "F r", "model"),
        (HEAD + "LTLSPEC " + "F r -> " * DEEP + "r", "model"),
        (HEAD + "LTLSPEC " + "r & F x = 1 | " * DEEP + "r", "model"),
        (HEAD + "LTLSPEC " + "X " * DEEP + "r", "P304"),
        (HEAD + "LTLSPEC " + "r U " * DEEP + "r", "P304"),
        (HEAD + "LTLSPEC " + "r U (" * DEEP + "r" + ")" * DEEP, "P304"),
        (HEAD + "LTLSPEC " + "A " * DEEP + "r", "P125"),
        (HEAD + "DEFINE p := " + "(" * DEEP + "r" + ")" * DEEP + ";", "model"),
        (HEAD + "DEFINE p := " + "!" * DEEP + "r;", "P129"),
        (HEAD + "DEFINE p := " + "r | " * DEEP + "r;", "model"),
        (HEAD + "DEFINE p := " + "x + " * DEEP + "x = 3;", "model"),
        (HEAD + "DEFINE p := " + "-" * 1001 + " x = 3;", "P121"),
        (HEAD + "DEFINE p := " + "- " * DEEP + " x = 3;", "P129"),
        (HEAD + "ASSIGN next(r) := " + "case r : " * DEEP, "P121"),
        (HEAD + "ASSIGN next(r) := " + "case TRUE : " * DEEP + "r" + "; esac" * DEEP + ";", "P129"),
        (HEAD + "ASSIGN next(r) := " + "r ? r : " * DEEP + "r;", "P129"),
        (HEAD + "ASSIGN next(r) := " + "next(" * DEEP + "r" + ")" * DEEP + ";", "P122"),
        (HEAD + "DEFINE p := " + "!" * 140 + "r; ASSIGN next(r) := p;", "model"),
        (HEAD + "DEFINE p := " + "x" * DEEP + " = 1;", "P123"),
        ("MODULE m " + "/-- " * DEEP, "P121"),
        ("MODULE m " + "--" * DEEP, "model"),
        ("MODULE m " + "." * DEEP, "P121"),
        ("MODULE m VAR " + "a-" * DEEP, "P121"),
    ],
)  # fmt: skip
def test_depth(text: str, code: str):
    started = time.process_time()
    assert outcome(text.encode()) == code
    assert time.process_time() - started < 120


FORMULA_WORDS = (
    "A E [ ] ( ) U V W R X F G AG EX & | -> ! ? : p q x = 1 { } , case ; esac next S".split()
)


def test_formulas_of_random_words():
    """For a model that exists: a formula, or an error with a code and a place."""
    document = smv.SmvDocument(b"MODULE m VAR x : 0..2; DEFINE p := x = 1; q := x = 2;")
    rng = random.Random(1)
    codes = set()
    for _ in range(5000):
        words = rng.choices(FORMULA_WORDS, k=rng.randrange(1, 12))
        text = rng.choice(("A [{} U {}]", "E {} W {}", "F {} & ({} R p)")).format(
            " ".join(words), rng.choice(("p", "G F q", "x = 1 & q"))
        )
        try:
            document.formula(text)
        except PigroError as error:
            assert_readable(error)
            codes.add(error.code)
    assert codes >= {"P121", "P122", "P125"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A " * DEEP + "p", "P304"),
        ("A [" * DEEP + "p" + "]" * DEEP, "P304"),
        ("A (" * DEEP + "F p" + ")" * DEEP, "P304"),
        ("A (" * DEEP, "P121"),
        ("E [p & (" * DEEP, "P121"),
        ("E p U " * DEEP + "q", "P304"),
        ("A [" + "!(" * DEEP + "F p" + ")" * DEEP + "]", "formula"),
        ("A [" + "F p & " * DEEP + "q]", "formula"),
        ("A [p | q U p] & " * DEEP + "q", "formula"),
    ],
)
def test_depth_of_formulas(text: str, code: str):
    document = smv.SmvDocument(b"MODULE m VAR x : 0..2; DEFINE p := x = 1; q := x = 2;")
    started = time.process_time()
    try:
        document.formula(text)
        found = "formula"
    except PigroError as error:
        assert_readable(error)
        found = error.code
    assert found == code
    assert time.process_time() - started < 120


def test_deep_values_work_up_to_the_limit_in_a_deep_stack():
    """Nothing here runs into Python's own limit, also far from the bottom of the stack."""
    text = f"{HEAD} DEFINE p := {'!' * 149} r; ASSIGN next(r) := p; SPEC AG (x = x -> p)"

    def dig(levels: int) -> str:
        return dig(levels - 1) if levels else outcome(text.encode())

    assert dig(sys.getrecursionlimit() // 2) == "model"


def test_long_chains_of_definitions():
    lines = "".join(f"d{i} := d{i + 1} | x = 1; " for i in range(140))
    assert outcome(f"{HEAD} DEFINE {lines} d140 := r;".encode()) in ("P129", "model")
    lines = "".join(f"d{i} := d{i + 1}; " for i in range(5000))
    assert outcome(f"{HEAD} DEFINE {lines} d5000 := r;".encode()) == "model"
    lines = "".join(f"d{i} := !d{i + 1}; " for i in range(5000))
    assert outcome(f"{HEAD} DEFINE {lines} d5000 := r;".encode()) == "P129"


@pytest.mark.long
def test_many_of_everything():
    """No quadratic work: variables, definitions, calls, modules, specs."""
    started = time.process_time()
    variables = "".join(f"v{i} : 0..1; " for i in range(3000))
    right_sides = "".join(
        f"init(v{i}) := {'0' if i == 2999 else f'v{i + 1}'}; next(v{i}) := v{i}; "
        for i in range(3000)
    )
    assert outcome(f"MODULE m VAR {variables} ASSIGN {right_sides} SPEC v0 = 0".encode()) == "model"
    modules = "".join(
        f"MODULE m{i} VAR s : {{a, b}}; CALL m{(i + 1) % 1000} := s = b; " for i in range(1000)
    )
    assert outcome(modules.encode()) == "model"
    specs = "SPEC x = 1 " * 5000
    assert outcome((HEAD + specs).encode()) == "model"
    assert time.process_time() - started < 180


def doubling(first: str, operator: str, last: str) -> str:
    """`d0 := first; d1 := d0 operator d0; ...`: each definition uses the one before twice."""
    rows = [f"d{i} := d{i - 1} {operator} d{i - 1};" for i in range(1, 60)]
    return "\n".join(("MODULE main", "VAR x : 0..3;", "DEFINE", f"d0 := {first};", *rows, last))


GROWING = {
    "products": (doubling("99", "*", "p := d59 > x;"), "P126", 8),
    "sums": (doubling("x + 1", "+", "p := d59 + d59 + d59 + d59 + d59 > x;"), "P126", 64),
    "negative": (doubling("-99", "*", "p := d59 > x;"), "P126", 8),
    "quotients": (doubling("x + 1", "/", "p := d59 > x;"), None, None),
    "remainders": (doubling("x + 1", "mod", "p := d59 > x;"), "P126", 6),
    "ones": (doubling("1", "*", "p := d59 > x;"), None, None),
    "truths": (doubling("x = 1", "xor", "p := d59;"), None, None),
    "unions": (doubling("0..99999", "union", "p := x in d59;"), None, None),
    "wide unions": (doubling("0..60000 union 60001..120000", "union", "p := x in d59;"), "P126", 4),
    "wide ranges": ("MODULE m\nVAR x : 0..1;\nDEFINE p := x in 0..9999999999;", "P126", 3),
    "wide sets": (
        "MODULE m\nVAR x : 0..1;\nDEFINE p := x in {x..60000, (60001 + x)..120000};",
        "P126",
        3,
    ),
    "steps": ("MODULE m\nVAR x : 0..9;\nASSIGN next(x) := " + "9 * " * 99 + "9;", "P126", 3),
    "formulas": ("MODULE m\nVAR x : 0..9;\nSPEC AG x < " + "9 * " * 99 + "9", "P126", 3),
}
READ = """
import subprocess
import sys
from pigro import PigroError
from pigro.formats import smv
try:
    smv.requirements(sys.stdin.buffer.read(), source="f")
    print("model")
except PigroError as error:
    print(error.code, error.position.source, error.position.line)
"""


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.long) if each == "unions" else each for each in GROWING],
)
def test_values_have_bounds(name):
    """In a process of its own: without bounds, reading these few bytes has no end."""
    text, code, line = GROWING[name]
    done = subprocess.run(
        [sys.executable, "-c", READ], input=text.encode(), capture_output=True, timeout=PATIENCE
    )
    expected = "model" if code is None else f"{code} f {line}"
    assert (done.stdout.decode().strip(), done.stderr) == (expected, b"")


@counts_memory
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("MODULE m VAR a : array 0..999999999 of boolean;", "P128"),
        ("MODULE m VAR a : array 0..99999 of array 0..99999 of boolean;", "P128"),
        ("MODULE m VAR a : " + "array 0..9 of " * 9 + "boolean;", "P128"),
        ("MODULE m VAR a : " + "array 0..0 of " * 90 + "boolean;", "P129"),
        ("MODULE m VAR a : array -999999999999999999..999999999999999999 of boolean;", "P128"),
        ("MODULE m VAR w : word[1000000];", "P122"),
        ("MODULE m VAR w : word[9999999999999999999999];", "P121"),
        ("MODULE m VAR w : word[0];", "P122"),
        ("MODULE m VAR w : word[8]; DEFINE p := extend(w, 1000000) = w;", "P122"),
        ("MODULE m DEFINE p := 0ub1000000_1 = 0ub1_1;", "P122"),
        ("MODULE m DEFINE p := 0b" + "1" * 10**6 + " = 0ub1_1;", "P121"),
        ("MODULE m DEFINE p := 0b_" + "1" * 10**6 + " = 0ub1_1;", "P122"),
        ("MODULE m VAR x : 0..999999999999999999 * 999999999999999999;", "P125"),
        ("MODULE m VAR x : 0..99999999999999999999;", "P121"),
        ("MODULE m VAR x : 5..0;", "P125"),
        ("MODULE m VAR x : 0..n; DEFINE n := n + 1;", "P124"),
        ("MODULE m DEFINE p := q; q := !p;", "P124"),
        ("MODULE m VAR a : m;", "P124"),
        (
            "MODULE a VAR x : b; MODULE b VAR x : c; MODULE c VAR x : a; MODULE main VAR x : a;",
            "P124",
        ),
        ("MODULE main VAR x : n(x.p); MODULE n(p) VAR v : boolean; ASSIGN next(v) := p;", "P124"),
        pytest.param(
            "".join(f"MODULE m{i} VAR a : m{i + 1}; b : m{i + 1}; " for i in range(40))
            + "MODULE m40 VAR v : boolean; MODULE main VAR x : m0;",
            "P128",
            marks=pytest.mark.long,
        ),
        ("MODULE m VAR x : 0..1; SPEC EBF 0..999999999 x = 1", "P304"),
        ("MODULE m VAR x : 0..1; SPEC " + "EBF 0..200 " * 200 + "x = 1", "P304"),
        ("MODULE m VAR x : 0..1; LTLSPEC " + "G [0, 1] " * 60 + "x = 1", "P304"),
        ("MODULE m VAR x : 0..1; SPEC A [x = 1 BU 0..1", "P122"),
        ("MODULE m VAR x : 0..1; SPEC A [F [", "P121"),
        ("MODULE m VAR x : 0..1; SPEC A [EBF 1..", "P121"),
    ],
)
def test_sizes(text: str, code: str):
    """In little time and memory: in a child process that may have 1 GB."""
    program = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "from pigro import PigroError\n"
        "from pigro.formats import smv\n"
        "try:\n    smv.requirements(sys.stdin.buffer.read())\n"
        "except PigroError as error:\n    print(error.code)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=text.encode(),
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert ran.stdout.decode().strip() == code, ran.stderr
