"""One small machine for each bug that laziness can have: docs/reliability.md lists them.

`make mutants` puts each bug into a copy of the native core and sees the named test fail.
"""

from pigro.logic import parse

from oracle.notation import machine_from
from support.agreement.ctl import ALL_ENGINES, as_model, expect

DEEP = """
top >t end:q
  box p = mid
  t -> p.in
  p.x -> end
mid >in x>
  box d = deep
  in -> d.in
  d.x -> x
deep >in:p x>
  in -> x
"""


def test_need_closed_over_callers():
    """Only `deep` asks, yet its context is read off `mid`, and that of `mid` off `top`."""
    expect(DEEP, {"EF (p & EF q)": True, "EF (p & AF q)": True, "EF (p & EG !q)": False})


def test_relevant_closed_over_callers():
    """The goal is two calls deep: neither `mid` nor `top` may be taken for irrelevant."""
    expect(DEEP, {"EF p": True, "E [!q U p]": True, "AG !p": False, "EX EF p": True})
    expect(DEEP.replace("end:q", "end"), {"AF p": True, "EG !p": False, "EX EG !p": False})


def test_resumed_search_reads_complete_exits():
    """The search for `first` ends at a hit while `second` is half searched: only its exit x is known.

    What is asked next is a call of `second` that matters for its exit y. (`odd` only makes sure that
    `second` is searched at all.)
    """
    expect(
        """
main >start z bad good:q
  box a = first
  box b = second
  start -> b.in
  z -> a.in
  b.x -> bad
  b.y -> good
  bad -> bad
  good -> good
first >in hit:q miss
  box c = second
  in -> c.in
  c.x -> hit
  c.y -> miss
second >in far x> y> >other odd:q
  in -> far x
  far -> y
  other -> odd
""",
        {"EX EF q": True, "EX AG !q": False, "EF EX q": True},
    )


def test_staying_at_the_empty_stack_is_no_hit():
    """From `in`, q lasts forever at the exit, with the empty stack. From `n` it ends: the call returns."""
    text = """
main >in:q x>:q n:q bad
  box b = main
  in -> x
  n -> b.in
  b.x -> bad
  bad -> bad
"""
    machine = machine_from(text, initial=("in", "n"))
    for name, engine in ALL_ENGINES.items():
        verdict = engine(as_model(machine), parse("EG q"))
        assert [truth for _, truth in verdict.starts] == [True, False], name


def test_refinement_under_a_nested_operator():
    """EF r is true at `mid` only because of what waits; a bound that forgets it would settle the until."""
    expect(
        """
main >start good:r
  box b = callee
  start -> b.in
  b.x -> good
callee >in:p mid:q x>
  in -> mid
  mid -> x
""",
        {
            "EF (p & E [!q U (q & EF r)])": True,
            "EF (p & E [!q U (q & !EF r)])": False,
            "AG (p -> A [!q W (q & EF r)])": True,
        },
    )


def test_instance_key_has_every_mask():
    """Two calls of one callee that differ only in the second of two operators."""
    expect(
        """
main >start n1:q n2:q m2:r m3:r
  box b1 = callee
  box b2 = callee
  box b3 = callee
  start -> b1.in b2.in b3.in
  b1.x -> n1
  b2.x -> n2
  n2 -> m2
  b3.x -> m3
callee >in:p x>
  in -> x
""",
        {
            "EF (p & EF q & EF r)": True,
            "EF (p & EF q & !EF r)": True,
            "EF (p & !EF q & EF r)": True,
            "EF (p & !EF q & !EF r)": False,
        },
    )


MANY_ENTRIES = """
main >start n1 n2:q n3:r
  box b = callee
  start -> b.e1 b.e2
  b.x -> n1
  b.y -> n2
  b.z -> n3
callee >e1 >e2 >e3 mid x> y> z>
  box c = callee
  e1 -> x mid
  e2 -> c.e1
  e3 -> z
  mid -> y
  c.x -> z
  c.y -> x
"""


def test_backward_drops_no_return():
    """Every exit of every call counts: x, y and z are each left through by some run."""
    expect(
        MANY_ENTRIES,
        {
            "EF q": True,
            "EF r": True,
            "AG (!q | !EF r)": True,
            "EX EX EX EF r": True,
            "EX (EF r & !EF q)": True,
            "EX (EF q & !EF r)": True,
            "EG (!q & !r)": True,
            "AF (q | r)": False,
        },
    )


def test_backward_late_summary():
    """What follows the return is known before the callee's exit is: the call must still see it."""
    text = "main >s >e x> g:q\n  box c = main\n  s -> c.e\n  e -> x\n  c.x -> g"
    expect(text, {"EF q": True, "AF q": True, "EG !q": False})


def test_backward_finds_the_endless_run():
    """EG in a component of many entries: through the summary edge, and by recursion without return."""
    loop = MANY_ENTRIES.replace("c.y -> x", "c.y -> c.e1")
    expect(loop, {"EG (!q & !r)": True, "EX EG (!q & !r)": True, "AG (q -> AX q)": True})
    deeper = MANY_ENTRIES.replace("e3 -> z", "e3 -> z c.e3").replace("b.e1 b.e2", "b.e1 b.e3")
    expect(deeper, {"EX EG (!q & !r)": True, "EX AF r": False, "EX AF q": False, "EX EF r": True})


def test_exits_that_carry_labels_ask_in_the_caller():
    """The one-line callee carries p, so the return node does: `main` asks at a node it did not label."""
    expect(
        """
main >start more:q
  box b = one
  start -> b.e
  b.e -> more
one >e>:p
""",
        {
            "EF (p & EF q)": True,
            "EF (p & AX q)": True,
            "EX (p & EF q)": True,
            "EF (p & EG !q)": False,
        },
    )


def test_entries_that_carry_labels_ask_at_the_call():
    """EX looks at call nodes too: the entry's label counts there, and its value depends on the context."""
    expect(
        """
main >start good:q
  box b = callee
  start -> b.in
  b.x -> good
callee >in:p x>
  in -> x
""",
        {"EX (p & EF q)": True, "EX (p & !EF q)": False, "EX (p & AX AX q)": True},
    )
