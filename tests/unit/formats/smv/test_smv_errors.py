"""What is wrong with a file: code, line, column, and what to do."""

import pytest

import pigro
from pigro.formats import smv
from pigro.formats.smv.space import ListingBounds

HEAD = "MODULE main\nVAR x : 0..2; s : {a, b}; r : boolean;\n"

CASES = [
    ("", "P121", 1, 1, "the file is empty"),
    ("-- nothing\n", "P121", 1, 1, "the file is empty"),
    ("MODUL main", "P121", 1, 1, "expected `MODULE`, found `MODUL`"),
    ("MODULE", "P121", 1, 7, "expected the name of the module after `MODULE`, found the end"),
    ("MODULE main(x)", "P122", 1, 8, "module `main` is not instantiated, but has parameters"),
    ("MODULE m MODULE m", "P124", 1, 17, "two modules are named `m`"),
    ("MODULE m\nvar x : 0..1;", "P121", 2, 1, "expected a section after `m`, found `var`"),
    ("MODULE m PSLSPEC TRUE", "P122", 1, 10, "PSLSPEC is not supported"),
    ("MODULE m FAIRNESS x", "P123", 1, 19, "`x` is not defined in module `m`"),
    ("MODULE m VAR x : word[99];", "P122", 1, 18, "words have 1 to 64 bits, as in NuSMV"),
    ("MODULE m VAR x : m;", "P124", 1, 18, "module `m` contains an instance of itself"),
    ("MODULE m VAR x : 3..1;", "P125", 1, 18, "the range 3..1 is empty"),
    ("MODULE m VAR x : {};", "P121", 1, 19, "expected a constant after `{`, found `}`"),
    ("MODULE m VAR x : {EXIT};", "P125", 1, 23, "a type needs a value besides EXIT"),
    ("MODULE m VAR x : {a, a};", "P124", 1, 22, "`a` stands twice in the type"),
    ("MODULE m VAR x : 0..1", "P121", 1, 22, "expected an operator or `;` after `1`, found the end"),
    ("MODULE m VAR x : 0..1; x : 0..1;", "P124", 1, 24, "`x` is defined already"),
    ("MODULE m VAR x : {y, z}; y : 0..1;", "P124", 1, 26, "`y` is a constant, and also a variable"),
    ("MODULE m VAR y : 0..1; x : {y, z};", "P124", 1, 29, "`y` is a constant, and also a variable"),
    ("MODULE m VAR y : {y, z};", "P124", 1, 14, "`y` is a constant, and also a variable"),
    ("MODULE m VAR y : 0..1; CONSTANTS y;", "P124", 1, 34, "`y` is a constant, and also a variable"),
    ("MODULE m CONSTANTS y; VAR y : 0..1;", "P124", 1, 27, "`y` is a constant, and also a variable"),
    ("MODULE m DEFINE y := 1; VAR x : {y};", "P124", 1, 34, "`y` is a constant, and also a definition"),
    ("MODULE m VAR x : {y}; DEFINE y := 1;", "P124", 1, 30, "`y` is a constant, and also a definition"),
    ("MODULE m VAR AG : 0..1;", "P121", 1, 14, "expected the name of a variable after `VAR`, found the reserved word `AG`"),
    ("MODULE m.n VAR x : 0..1;", "P121", 1, 8, "`m.n` can't be a name here"),
    ("MODULE m VAR é : 0..1;", "P121", 1, 14, "expected the name of a variable after `VAR`, found `é`"),
    ("MODULE m VAR x : 0.." + "9" * 40 + ";", "P121", 1, 21, "a number of 40 digits is too long"),
    ("MODULE m VAR x : 0..²;", "P121", 1, 21, "expected an expression after `..`, found `²`"),
    ("MODULE m VAR x : {²};", "P121", 1, 19, "expected a constant after `{`, found `²`"),
    ("MODULE m VAR x : {-²};", "P121", 1, 20, "expected a number after `-`, found `²`"),
    ("MODULE m VAR x : a[1].é;", "P121", 1, 23, "expected a name after `.`, found `é`"),
    ("MODULE m /-- no end", "P121", 1, 10, "the comment is not closed"),
    (HEAD + "ASSIGN next(y) := 1;", "P123", 3, 13, "`y` is not a variable"),
    (HEAD + "ASSIGN next(x) := 1; next(x) := 2;", "P124", 3, 27, "`x` is assigned twice"),
    (HEAD + "ASSIGN x := 1; init(x) := 2;", "P124", 3, 21, "`x` is assigned twice"),
    (HEAD + "ASSIGN init(x) := y;", "P123", 3, 19, "`y` is not defined in module `main`"),
    (HEAD + "ASSIGN init(x) := x + 1;", "P124", 3, 21, "the value of `x` depends on itself"),
    (HEAD + "DEFINE p := q; q := !p;", "P124", 3, 13, "`p` is defined by way of itself"),
    (HEAD + "DEFINE p := AG r;", "P125", 3, 13, "a temporal operator can stand in a SPEC only"),
    (HEAD + "DEFINE x := 1;", "P124", 3, 8, "`x` is defined already"),
    (HEAD + "CALL mian := r;", "P123", 3, 6, "there is no module `mian` to call"),
    (HEAD + "w : n;\nMODULE n CALL main := TRUE;", "P137", 4, 15, "the instance `w` of module `n` calls `main`"),
    (HEAD + "w : process n;\nMODULE n CALL main := TRUE;", "P137", 4, 15, "the instance `w` of module `n` calls `main`"),
    (HEAD + "w : n;\nMODULE n VAR v : m; MODULE m\nISA c MODULE c CALL c := TRUE; c := FALSE;", "P137", 5, 21, "the instance `w.v` of module `m` calls `c`"),
    (HEAD + "w : n(r);\nMODULE n(p) CALL main := p;", "P137", 4, 18, "the instance `w` of module `n` calls `main`"),
    (HEAD + "CALL n := r; MODULE n(a, b) VAR t : boolean; SPEC a", "P137", 3, 6, "module `n` has parameters and can't be called"),
    (HEAD + "CALL main := r; MODULE n(a) CALL n := a;", "P137", 3, 34, "module `n` has parameters and can't be called"),
    (HEAD + "w : n(r);\nCALL n := r; MODULE n(a)", "P137", 4, 6, "module `n` has parameters and can't be called"),
    (HEAD + "CALL n(r, x) := r; MODULE n(a, b)", "P137", 3, 8, "the call of `n` has arguments"),
    (HEAD + "CALL n(r) := r; MODULE n", "P137", 3, 8, "the call of `n` has arguments"),
    (HEAD + "CALL n() := r; MODULE n(a)", "P137", 3, 6, "module `n` has parameters and can't be called"),
    (HEAD + "CALL n( := r; MODULE n", "P121", 3, 9, "expected an expression after `(`, found `:=`"),
    (HEAD + "CALL main := x;", "P125", 3, 14, "expected a condition, found a number"),
    (HEAD + "CALL main := next(r);", "P125", 3, 14, "a condition of a call can't use next"),
    (HEAD + "DEFINE d := next(TRUE); SPEC AG d", "P122", 3, 33, "a formula can't use next"),
    (HEAD + "SPEC AG (r", "P121", 3, 9, "this `(` is not closed: expected an operator or `)`"),
    (HEAD + "SPEC AG r)", "P121", 3, 10, "expected a section after `r`, found `)`"),
    (HEAD + "SPEC A [r]", "P125", 3, 6, "in SPEC, `A` stands before X, F, G or [p U q] only"),
    (HEAD + "SPEC A r", "P125", 3, 6, "in SPEC, `A` stands before X, F, G or [p U q] only"),
    (HEAD + "SPEC A [r", "P121", 3, 6, "this `[` is not closed: expected an operator or `]`"),
    (HEAD + "SPEC A & r", "P121", 3, 8, "expected an expression after `A`, found `&`"),
    (HEAD + "SPEC A [r U x = 1 V r]", "P125", 3, 11, "`U` alone is about a path, but SPEC is in CTL"),
    (HEAD + "SPEC A [G F r]", "P125", 3, 11, "`F` alone is about a path, but SPEC is in CTL"),
    (HEAD + "CTLSPEC r & X r", "P125", 3, 13, "`X` alone is about a path, but CTLSPEC is in CTL"),
    (HEAD + "INVARSPEC G r", "P125", 3, 11, "`G` alone is about a path, but INVARSPEC is in CTL"),
    (HEAD + "LTLSPEC G AX r", "P125", 3, 11, "`AX` can't stand in an LTLSPEC, which speaks of all paths"),
    (HEAD + "LTLSPEC E [r U x = 1]", "P125", 3, 9, "`E` can't stand in an LTLSPEC, which speaks of all paths"),
    (HEAD + "LTLSPEC A [G r]", "P125", 3, 9, "`A` can't stand in an LTLSPEC, which speaks of all paths"),
    (HEAD + "LTLSPEC r W r", "P122", 3, 11, "NuSMV has no operator `W`"),
    (
        HEAD + "LTLSPEC O F r",
        "P122",
        3,
        11,
        "under an operator on the past there can be no operator on the future",
    ),
    (HEAD + "LTLSPEC X [0, 2] r", "P122", 3, 9, "the bounded operator `X [...]` is not supported"),
    (HEAD + "LTLSPEC G [0 2] r", "P121", 3, 14, "expected `,` after `0`, found `2`"),
    (HEAD + "LTLSPEC G [2, 0] r", "P125", 3, 9, "there is no step from 2 to 0"),
    (
        HEAD + "LTLSPEC F [0, 257] r",
        "P304",
        3,
        9,
        "a bound of 257 steps is too large, at most 256 are allowed",
    ),
    (HEAD + "SPEC EBF r", "P121", 3, 10, "expected a number of steps after `EBF`, found `r`"),
    (
        HEAD + "SPEC" + " EBF 0..9" * 9 + " r",
        "P304",
        3,
        6,
        "written out, the formula has more than 100,000 operators",
    ),
    (HEAD + "SPEC AG r IN sub", "P123", 3, 14, "`sub` is not an instance"),
    (HEAD + "FUN f : boolean -> boolean;", "P122", 3, 1, "FUN is not supported"),
    ("#define N 2\nMODULE main", "P121", 1, 1, "expected `MODULE`, found `#`"),
    ("MODULE main VAR x : array of boolean;", "P122", 1, 27, "arrays without bounds are not supported"),
    (HEAD + "LTLSPEC F x", "P125", 3, 11, "expected a truth value, found a number"),
    (HEAD + "LTLSPEC (F r) = r", "P125", 3, 15, "a temporal operator can stand only under `!`, `&`, `|`, `->` and the like"),
    (HEAD + "LTLSPEC r U", "P121", 3, 12, "expected an expression after `U`, found the end"),
    (HEAD + "LTLSPEC X next(r)", "P122", 3, 11, "a formula can't use next"),
    (HEAD + "DEFINE p := F r;", "P125", 3, 13, "a temporal operator can stand in a SPEC only"),
    (HEAD + "DEFINE p := r U r;", "P125", 3, 15, "a temporal operator can stand in a SPEC only"),
    ("MODULE m VAR S : boolean;", "P121", 1, 14, "expected the name of a variable after `VAR`, found the reserved word `S`"),
    (HEAD + "SPEC r && r", "P121", 3, 8, "expected a section after `r`, found `&&`"),
    (HEAD + "SPEC r & ", "P121", 3, 9, "expected an expression after `&`, found the end"),
    (HEAD + "SPEC x", "P125", 3, 6, "expected a formula, found a number"),
    (HEAD + "SPEC x = TRUE", "P125", 3, 8, "a number is compared with a truth value"),
    (HEAD + "SPEC x & r", "P125", 3, 6, "expected a truth value, found a number"),
    (HEAD + "SPEC r < 2", "P125", 3, 6, "expected a number, found a truth value"),
    (HEAD + "SPEC s = {a, b}", "P125", 3, 10, "a set can't be compared"),
    (HEAD + "SPEC (AG r) = r", "P125", 3, 13, "a temporal operator can stand only under `!`, `&`, `|`, `->` and the like"),
    (HEAD + "SPEC s = c", "P123", 3, 10, "`c` is not defined in module `main`"),
    (HEAD + "SPEC x-1 = 0", "P123", 3, 6, "`x-1` is not defined in module `main`"),
    (HEAD + "SPEC foo.x = 0", "P123", 3, 6, "there is no module `foo`"),
    (HEAD + "SPEC next(r)", "P122", 3, 6, "a formula can't use next"),
    (HEAD + "SPEC AG (next(r) = r)", "P122", 3, 10, "a formula can't use next"),
    (HEAD + "SPEC {r}", "P125", 3, 6, "expected a formula, found a set"),
    (HEAD + "SPEC x / 0 = 1", "P126", 3, 8, "division by zero"),
    (HEAD + "ASSIGN init(r) := 1;", "P125", 3, 19, "`r` is a truth value, but gets a number"),
    (HEAD + "ASSIGN init(s) := TRUE;", "P125", 3, 19, "`s` is a symbol, but gets a truth value"),
    (HEAD + "ASSIGN init(x) := 3;", "P126", 3, 19, "`x` gets the value 3, which its type does not have"),
    (HEAD + "ASSIGN init(x) := 0; next(x) := x + 1;", "P126", 3, 35, "`x` gets the value 3 after 2,a,FALSE, which its type does not have"),
    (HEAD + "ASSIGN next(s) := case x = 1 : a; esac;", "P126", 3, 19, "no condition of this case is true"),
    (HEAD + "ASSIGN next(s) := case x = 1 : a esac;", "P121", 3, 34, "expected an operator or `;` after `a`, found the reserved word `esac`"),
    (HEAD + "ASSIGN next(s) := case x = 1 a; esac;", "P121", 3, 30, "expected an operator or `:` after `1`, found `a`"),
    (HEAD + "ASSIGN next(s) := case x = 1 : a;", "P121", 3, 34, "expected an expression after `;`, found the end"),
    (HEAD + "ASSIGN next(s) := {a, };", "P121", 3, 23, "expected an expression after `,`, found `}`"),
    (HEAD + "ASSIGN next(s) := next(next(s));", "P122", 3, 19, "next inside of next is not supported"),
    (HEAD + "ASSIGN init(s) := next(s);", "P122", 3, 19, "next can stand on the right side of next(...) only"),
    (HEAD + "ASSIGN next(x) := 0..(x - 1);", "P126", 3, 20, "the range 0..-1 is empty"),
    (HEAD + "CALL main := TRUE; ASSIGN next(x) := EXIT; next(s) := EXIT; next(r) := EXIT;", "P127", 3, 6, "the exit of module `main` is a call"),
    (HEAD + "CALL main := x = 1; b := s = a; MODULE b", "P127", 3, 21, "state 1,a,FALSE calls `b` and `main`"),
    (HEAD + "SPEC " + "EX " * 300 + "r", "P304", 3, 6, "temporal operators are nested 300 levels deep, at most 256 are allowed"),
    ("MODULE m VAR s : {a, 1}; SPEC s + 1 = 2", "P126", 1, 33, "can't compute with a"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "line", "column", "message"), CASES)
def test_mistakes(text, code, line, column, message):
    with pytest.raises(pigro.PigroError) as caught:
        smv.requirements(text.encode(), source="bad.smv")
    error = caught.value
    place = error.position
    assert (error.code, error.message) == (code, message)
    assert (place.source, place.line, place.column) == ("bad.smv", line, column)
    for other in (text.replace("\n", "\r\n"), text + "\n"):
        with pytest.raises(pigro.PigroError) as caught:
            smv.requirements(other.encode())
        again = caught.value.position
        assert (caught.value.message, again.line, again.column) == (message, line, column)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("MODULE m VAR count1 : 0..1; ASSIGN next(cuont1) := 1;", 'did you mean "count1"?'),
        (HEAD + "CALL mian := r;", 'did you mean "main"?'),
        (HEAD + "SPEC x-1 = 0", "a name may hold `-`: for a difference write spaces around it"),
        (HEAD + "SPEC r && r", "the operator is written &"),
        (HEAD + "SPEC A & r", "write A [p U q]; A is a reserved word"),
        (HEAD + "SPEC F r", "write AF or EF, or LTLSPEC for what holds on all paths"),
        (
            HEAD + "SPEC r U r",
            "write A [p U q] or E [p U q], or LTLSPEC for what holds on all paths",
        ),
        (HEAD + "LTLSPEC AG r", "formulas with A and E stand in a SPEC"),
        (HEAD + "LTLSPEC r R r", "write `p V q` for `p R q`"),
        (HEAD + "LTLSPEC Y F r", "swap them, or write a SPEC"),
        (
            "MODULE m PSLSPEC x",
            "write it as LTLSPEC or CTLSPEC: `always p` is `G p`, `never p` is `G !p`, and "
            "`eventually! p` is `F p`",
        ),
        (HEAD + "SPEC s = {a, b}", "to ask for an element, write `x in {a, b}`"),
        (HEAD + "SPEC r = 1", "truth values are written TRUE and FALSE"),
        (HEAD + "ASSIGN init(r) := 0;", "truth values are written TRUE and FALSE"),
        (HEAD + "ASSIGN next(s) := case x = 1 : a; esac;", "add a last branch `TRUE : ...;`"),
        ("MODULE m /-- no end", "end it with --/"),
        ("MODULE m VAR é : 0..1;", "names are made of the letters a to z, digits and _ $ # -"),
        ("MODULE m\nvar x : 0..1;", 'did you mean "VAR" or "IVAR" or "INVAR"?'),
    ],
)
def test_hints(text, hint):
    with pytest.raises(pigro.PigroError) as caught:
        smv.requirements(text.encode())
    assert caught.value.hint == hint


def test_bytes_that_are_no_text():
    with pytest.raises(pigro.InputError) as caught:
        smv.read(b"MODULE m\nVAR \xff", source="f")
    assert (caught.value.code, caught.value.position.line, caught.value.position.column) == (
        "P102",
        2,
        5,
    )


def test_a_state_space_has_limits():
    text = b"MODULE m VAR x : 0..99; y : 0..99; ASSIGN init(x) := 0; init(y) := 0;"
    for bounds in (ListingBounds(states=1000), ListingBounds(edges=1000)):
        with pytest.raises(pigro.InputError) as caught:
            smv.SmvDocument(text, bounds=bounds)
        assert (caught.value.code, caught.value.position.column) == ("P128", 8)
        assert "has more than 1,000" in caught.value.message
    for huge in ("x : 0..999999999999999999;", "a : 0..9999; b : 0..9999; c : 0..9999;"):
        document = smv.SmvDocument(
            f"MODULE m VAR {huge}".encode(), bounds=ListingBounds(states=1000)
        )
        model = document.model()
        assert not model.is_listed, "states are not listed before they are needed"
        with pytest.raises(pigro.InputError) as caught:
            _ = model.listed()
        assert caught.value.code == "P128"
