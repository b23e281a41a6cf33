"""One small machine for each bug that an engine of this kind can have: docs/reliability.md lists them.

`make mutants` puts each bug into a copy of the native core and sees the named test fail.
"""

import pytest

from support.agreement.ctl import expect

TWO_EXITS = """
main >start done:q other
  box b = callee
  start -> b.in
  b.x -> other
  b.y -> done
  other -> other
  done -> done
callee >in mid:p x> y>
  in -> mid
  mid -> y
"""


def test_mask_bit_dropped():
    """The callee is left through its second exit. What waits there must reach the callee's context."""
    expect(TWO_EXITS, {"EF (p & EF q)": True, "EF (p & EG !q)": False, "AG (p -> AF q)": True})


@pytest.mark.parametrize("exits", [63, 64, 65, 130])
def test_mask_bit_dropped_beyond_a_word(exits):
    """Masks are as wide as there are exits: the last bit matters, the one before does not."""
    names = [f"x{i}" for i in range(exits)]
    machine = "\n".join(
        [
            "main >start done:q other",
            "  box b = callee",
            "  start -> b.in",
            *(f"  b.{x} -> other" for x in names[:-1]),
            f"  b.{names[-1]} -> done",
            "callee >in mid:p " + " ".join(f"{x}>" for x in names),
            "  in -> mid",
            "  mid -> " + names[-1],
        ]
    )
    truths = {"EF (p & EF q)": True, "AG (p -> AF q)": True, "EF (p & EG !q)": False}
    expect(machine, truths, oracle=False)  # too many exits for it, but plain to see
    flipped = machine.replace(f"b.{names[-1]} -> done", f"b.{names[-1]} -> other")
    expect(flipped, {"EF (p & EF q)": False, "EF (p & EG !q)": True}, oracle=False)


TWICE = """
main >start:q end>
  box b1 = callee
  box b2 = callee
  start -> b1.in
  b1.x -> b2.in
  b2.x -> end
callee >in:q x>:q
  in -> x
"""


def test_return_visited_before_callee_is_finished():
    """Two calls in a row of one callee, then !q: the second call is no recursion, EG q fails."""
    expect(TWICE, {"EG q": False, "AF !q": True})
    expect(
        "top >t:q\n  box c = main\n  t -> c.start" + TWICE,
        {"EG q": False, "AF !q": True, "EX EG q": False},
    )


def test_ex_root_mask_forgotten():
    """An exit with the empty stack loops: its next state is itself, under `stop` too."""
    for dead_ends in ("stutter", "stop"):
        expect("main >x>:p", {"EX p": True, "AX !p": False, "EX EX p": True}, dead_ends=dead_ends)
        expect("main >n x>:p\n  n -> x", {"EX EX EX p": True, "EX !p": False}, dead_ends=dead_ends)


def test_ex_at_a_call_looks_through():
    """A call node and the entry it calls are one moment: the next state is after the entry."""
    expect(
        """
main >start
  box b = callee
  start -> b.in
callee >in:q mid:p x>
  in -> mid
  mid -> x
""",
        {"EX q": True, "EX EX p": True, "EX EX q": False, "EX p": False},
    )


def test_ex_at_a_call_of_a_dead_end():
    """The called entry has no successor: it stutters, or the run stops there."""
    text = "main >start\n  box b = callee\n  start -> b.in\ncallee >in:q"
    expect(text, {"EX EX q": True})
    expect(text, {"EX EX q": False, "EX q": True, "EX !EX true": True}, dead_ends="stop")


MISSING = """
main >start:q end
  box b = callee without x>
  start -> b.in
  b.y -> end
callee >in:q x>:q y>
  in -> x y
"""


def test_missing_return_is_a_dead_end():
    """The box has no return node for x: a run stays there, so q lasts forever."""
    expect(
        MISSING, {"EG q": True, "EF !q": True, "EF EG q": True, "EX EX EX q": True, "AF !q": False}
    )
    expect(MISSING, {"EG q": True, "EX EX EX q": False, "EF EX EG q": True}, dead_ends="stop")


def test_missing_return_inside_a_summary():
    """The same one call deeper: the caller of the caller sees a run that never returns."""
    expect(
        "top >t:q u\n  box c = main\n  t -> c.start\n  c.end -> u\n"
        + MISSING.strip().replace("start:q end", "start:q end>"),
        {"EG q": True, "EG EG q": True, "AF !q": False},
    )


def test_present_return_is_no_dead_end():
    """The counterpart: with the return node listed, the run goes on to !q."""
    expect(
        MISSING.replace(" without x>", "").replace("b.y -> end", "b.y -> end\n  b.x -> end"),
        {"EG q": False},
    )


ENTRY_EXIT = """
main >start after:p
  box b = one
  start -> b.e
  b.e -> after
one >e>:q
"""


def test_entry_exit_call_is_no_dead_end():
    """Calling a node that is entry and exit means being at the return node at once."""
    expect(ENTRY_EXIT, {"EF p": True, "AF p": True, "EX q": True, "EX EX p": True, "EG !p": False})


def test_entry_exit_call_under_the_published_reading():
    """`rsmcheck`: the call is a node with the entry's labels and no successor."""
    expect(
        ENTRY_EXIT,
        {"EF p": False, "EX q": True, "EX EX q": False},
        semantics="rsmcheck",
        dead_ends="stop",
    )
    expect(ENTRY_EXIT, {"EF p": False, "EX EX q": True, "EG !p": True}, semantics="rsmcheck")


def test_entry_exit_call_without_return_node():
    """No return node is listed: being there at once, and stuck."""
    text = ENTRY_EXIT.replace("= one", "= one without e>").replace("  b.e -> after\n", "")
    expect(text, {"EF p": False, "EX q": True, "EX EX q": True, "EG !p": True})
    expect(text, {"EX q": True, "EX EX q": False}, dead_ends="stop")


def test_summary_composed_through_recursion():
    """A self-call that returns: the exit of the inner call is reached through the outer one's return."""
    expect(
        """
main >in:q leave:q x>
  box b = main
  in -> b.in leave
  leave -> x
  b.x -> leave
""",
        {"EG q": True, "EF !q": True, "E [q U !q]": True, "AF !q": False, "AG EF !q": True},
    )


def test_context_asked_only_deep_below():
    """The asked label stands only two calls deep, its truth depends on the way out."""
    expect(
        """
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
""",
        {
            "EF (p & EF q)": True,
            "EF (p & EG q)": False,
            "EF (p & EX EX EX q)": True,
            "EF (p & EX EX q)": False,
        },
    )
