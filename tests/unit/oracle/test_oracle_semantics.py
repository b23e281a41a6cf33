"""Every rule of the semantics (docs/semantics.md), with verdicts worked out by hand. Both
procedures must give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle import contexts, unfold
from oracle.machine import Machine, labels, steps
from oracle.notation import machine_from

if TYPE_CHECKING:
    from oracle.formula import Formula

P: Formula = ("atom", "p")
Q: Formula = ("atom", "q")
R: Formula = ("atom", "r")
TRUE: Formula = ("true",)


def no(f: Formula) -> Formula:
    return ("not", f)


def verdict(machine: Machine, formula: Formula) -> bool:
    """The verdict of the context procedure, which the unfolding must give too (these machines are
    small).
    """
    answer = contexts.decide(machine, formula)
    assert unfold.decide(machine, formula, max_depth=12, max_states=400) is answer
    return answer


def check(machine: Machine, holds: list[Formula], fails: list[Formula]) -> None:
    for formula in holds:
        assert verdict(machine, formula), formula
    for formula in fails:
        assert not verdict(machine, formula), formula
    assert contexts.decide_many(machine, holds + fails) == [True] * len(holds) + [False] * len(
        fails
    )


CALL = """
main  start  done:r
  box b = callee
  start -> b.e
  b.x -> done
callee  >e:p  m:q  x>:p,q
  e -> m
  m -> x
"""


def test_r1_local_steps() -> None:
    machine = machine_from("main  a:p  b:q  c\n  a -> b c\n  b -> a\n  c -> c\n")
    check(
        machine,
        [P, ("EX", Q), ("EX", no(Q)), ("EG", ("or", P, Q)), ("EU", P, Q), ("EF", Q)],
        [("AX", Q), ("AG", ("or", P, Q)), ("AF", Q), Q, ("EX", P)],
    )


def test_r1_call_node_and_entry_are_one_moment() -> None:
    """start -> (b,e) = e -> m -> x = (b,x) -> done: EX from start sees e. The second step is
    already m.
    """
    machine = machine_from(CALL)
    check(
        machine,
        [
            ("EX", P),
            ("AX", ("EX", Q)),
            ("AX", ("AX", Q)),
            ("AX", ("AX", ("AX", ("and", P, Q)))),
            ("EX", ("EX", ("EX", ("EX", R)))),
            ("AF", ("AG", R)),
        ],
        [
            ("EX", Q),
            ("EX", ("EX", P)),
            ("EX", ("EX", ("EX", R))),
            ("EX", ("EX", ("EX", ("EX", P)))),
        ],
    )


def test_r1_states_of_one_moment_are_written_once() -> None:
    machine = machine_from(CALL)
    inside = (("main", "b"),)
    assert steps(machine, ((), "start")) == [(inside, "e")]
    assert steps(machine, (inside, "e")) == [(inside, "m")]
    assert steps(machine, (inside, "x")) == [((), "done")]
    assert steps(machine, ((), "done")) == [((), "done")]
    assert labels(machine, (inside, "x")) == ("p", "q")


def test_r1_exit_with_empty_stack_loops_also_under_stop() -> None:
    for dead_ends in ("stutter", "stop"):
        machine = machine_from("main  >e  x>:p\n  e -> x\n", dead_ends=dead_ends)
        check(
            machine,
            [
                ("EX", P),
                ("AX", ("EX", P)),
                ("AG", ("EX", TRUE)),
                ("AX", ("EG", P)),
                ("AF", ("AG", P)),
            ],
            [("EF", no(("EX", TRUE))), ("EX", ("EX", no(P)))],
        )


def test_r1_the_same_exit_returns_under_a_box() -> None:
    """main calls itself once: the exit under the box returns to `after`, with the empty stack it
    loops.
    """
    machine = machine_from(
        """
main  start  >e  after:q  x>:p
  box b = main
  start -> b.e x
  e -> x
  b.x -> after
"""
    )
    check(
        machine,
        [("EX", ("EG", P)), ("EF", Q), ("EX", ("EX", ("and", P, ("AX", Q)))), ("EF", ("AG", Q))],
        [("AF", Q), ("AG", no(Q)), ("AX", ("AX", ("AX", P)))],
    )


def test_r1_two_calls_in_a_row_of_one_callee() -> None:
    """start, e, x=(b,x), e, x=(c,x), end: what waits for the callee differs between the two."""
    machine = machine_from(
        """
main  start  end:r
  box b = callee
  box c = callee
  start -> b.e
  b.x -> c.e
  c.x -> end
callee  >e:p  x>:q
  e -> x
"""
    )
    x = ("AX", ("AX", ("and", Q, ("EX", P))))
    again = ("AX", ("AX", ("AX", ("AX", ("and", Q, ("AX", R))))))
    check(
        machine,
        [
            x,
            again,
            ("AF", R),
            ("AX", ("AU", ("or", P, Q), R)),
            ("AX", ("EX", ("and", Q, no(("EX", R))))),
        ],
        [
            ("AX", ("AX", ("EX", R))),
            ("AG", ("implies", Q, ("EX", R))),
            ("AG", ("implies", Q, ("EX", P))),
        ],
    )


def test_r1_two_calls_of_one_box() -> None:
    """The return node calls the same box again, or leaves: every number of calls is possible."""
    machine = machine_from(
        """
main  start  end:r
  box b = callee
  start -> b.e
  b.x -> b.e end
callee  >e:p  x>:q
  e -> x
"""
    )
    check(
        machine,
        [("EX", ("EG", ("or", P, Q))), ("AG", ("EF", R)), ("AG", ("implies", Q, ("EX", P)))],
        [("AF", R), ("EX", ("EG", P)), ("AG", ("implies", Q, ("AX", P)))],
    )


def test_r1_exits_choose_where_to_return() -> None:
    machine = machine_from(
        """
main  start  good:p  bad:q
  box b = callee
  start -> b.e b.f
  b.x -> good
  b.y -> bad
callee  >e:r  >f  x>  y>
  e -> x y
  f -> y
"""
    )
    check(
        machine,
        [
            ("EF", P),
            ("EF", Q),
            ("EX", ("and", R, ("EF", P))),
            ("EX", ("and", no(R), ("AF", Q))),
            ("AF", ("or", P, Q)),
        ],
        [("AF", Q), ("EX", ("and", no(R), ("EF", P))), ("AX", ("EF", P))],
    )


PUMP = """
main  >e:p  x>:q  end:r
  box b = main
  e -> b.e {more}
  b.x -> x
"""


def test_recursion_without_bottom_runs_forever() -> None:
    machine = machine_from(PUMP.format(more=""))
    assert contexts.decide_many(machine, [("EG", P), ("AG", P), ("EF", Q), ("AG", ("EX", P))]) == [
        True,
        True,
        False,
        True,
    ]
    assert unfold.decide(machine, ("EG", P)) is None  # infinitely many states: no bound suffices


def test_recursion_with_bottom() -> None:
    """From depth k the exits return one after another, and the last one loops with the empty
    stack.
    """
    machine = machine_from(PUMP.format(more="x"))
    wanted = [
        ("EG", P),
        ("EF", Q),
        ("AG", ("EF", Q)),
        ("AF", Q),
        ("AG", ("implies", Q, ("AG", Q))),
        ("EF", ("EG", Q)),
    ]
    assert contexts.decide_many(machine, wanted) == [True, True, True, False, True, True]
    assert verdict(machine, ("EF", ("EG", Q)))


def test_recursion_remembers_what_was_pushed() -> None:
    """push calls itself by u or v. When popping, each u shows p and each v shows q, and then only
    main is left.
    """
    machine = machine_from(
        """
main  start  end:r
  box u = push
  start -> u.e
  u.x -> end
push  >e  x>  seen_u:p  seen_v:q
  box u = push
  box v = push
  e -> u.e v.e x
  u.x -> seen_u
  v.x -> seen_v
  seen_u -> x
  seen_v -> x
"""
    )
    check(
        machine, [("EF", ("and", P, ("EF", Q))), ("EF", ("and", Q, ("EX", ("EX", R))))], [("EX", P)]
    )
    assert not contexts.decide(machine, ("AF", R))  # it may push forever
    assert contexts.decide(machine, ("AG", ("EF", R)))
    assert contexts.decide(machine, ("EF", ("and", P, ("AF", R))))
    assert contexts.decide(machine, ("AG", ("implies", P, ("AF", R))))
    assert not contexts.decide(machine, ("EF", ("and", R, ("EF", P))))


def test_mutual_recursion() -> None:
    """ping and pong call each other. Only pong can end it, so the depth of a returning run is
    even.
    """
    machine = machine_from(
        """
main  start  end:r
  box b = ping
  start -> b.e
  b.x -> end
ping  >e:p  x>
  box b = pong
  e -> b.e
  b.x -> x
pong  >e:q  x>
  box b = ping
  e -> b.e x
  b.x -> x
"""
    )
    check(
        machine,
        [("EF", R), ("EX", ("AX", Q)), ("EF", ("and", Q, ("EX", P)))],
        [("EX", Q), ("EX", ("EX", P))],
    )
    truths = [
        ("EG", ("implies", ("EX", TRUE), no(R))),
        ("AX", ("EG", ("or", P, Q))),
        ("AG", ("EF", R)),
    ]
    assert contexts.decide_many(machine, truths) == [True] * 3
    assert contexts.decide_many(machine, [("AF", R), ("EF", ("and", P, ("EX", P)))]) == [False] * 2


ONE_LINE = """
main  start  after:q
  box b = callee
  start -> b.m
  b.m -> after
callee  >m>:p
"""


def test_r2_entry_that_is_an_exit_is_one_moment_with_the_return_node() -> None:
    check(
        machine_from(ONE_LINE),
        [("EX", P), ("AX", ("EX", Q)), ("AX", ("AX", Q)), ("AF", ("AG", Q))],
        [("EX", Q), ("EX", ("EX", P)), ("EX", ("EG", P))],
    )


def test_r2_chain_of_one_line_calls() -> None:
    machine = machine_from(
        """
main  start  end:q
  box b = callee
  box c = callee
  start -> b.m
  b.m -> c.m
  c.m -> end
callee  >m>:p
"""
    )
    check(
        machine,
        [("AX", ("and", P, ("AX", ("and", P, ("AX", Q)))))],
        [("EX", ("EX", Q)), ("EX", ("EX", ("EX", P)))],
    )


def test_r2_one_line_method_called_at_once_inside_a_callee() -> None:
    """start, e, m = (c,m), x = (b,x), end: four steps."""
    machine = machine_from(
        """
main  start  end:r
  box b = outer
  start -> b.e
  b.x -> end
outer  >e  x>:q
  box c = inner
  e -> c.m
  c.m -> x
inner  >m>:p
"""
    )
    check(
        machine,
        [("AX", ("AX", ("and", P, ("AX", ("and", Q, ("AX", R))))))],
        [("EX", ("EX", Q)), ("EX", ("EX", ("EX", R)))],
    )


def test_r2_one_line_initial_component_loops() -> None:
    for dead_ends in ("stutter", "stop"):
        for semantics in ("standard", "rsmcheck"):
            machine = machine_from("main  >m>:p\n", dead_ends=dead_ends, semantics=semantics)
            check(
                machine,
                [("EX", P), ("AG", P), ("EG", ("EX", TRUE))],
                [("AX", no(P)), ("EF", no(P))],
            )


def test_r2_rsmcheck_reading_makes_it_a_dead_end_with_the_labels() -> None:
    stop = machine_from(ONE_LINE, dead_ends="stop", semantics="rsmcheck")
    check(
        stop,
        [("EX", P), ("AX", ("AX", Q)), ("AX", ("EG", P))],
        [("EF", Q), ("EX", ("EX", TRUE)), ("AF", Q)],
    )
    stutter = machine_from(ONE_LINE, semantics="rsmcheck")
    check(
        stutter, [("EX", P), ("AX", ("AG", P)), ("EX", ("EX", P))], [("EF", Q), ("AX", ("AX", Q))]
    )


def test_r2_rsmcheck_reading_only_touches_calls() -> None:
    """The node m is entered by a call of e and an edge: then it is an exit like any other."""
    text = """
main  start  after:q
  box b = callee
  start -> b.e
  b.m -> after
callee  >e  >m>:p
  e -> m
"""
    for semantics in ("standard", "rsmcheck"):
        machine = machine_from(text, dead_ends="stop", semantics=semantics)
        check(machine, [("EX", ("EX", P)), ("AX", ("AX", ("AX", Q))), ("AF", Q)], [("EX", P)])


DEAD = """
main  a:p  d:q
  a -> d
"""


def test_r3_plain_dead_end() -> None:
    check(
        machine_from(DEAD),
        [
            ("AX", ("EX", Q)),
            ("AX", ("AG", Q)),
            ("AF", ("EG", Q)),
            ("AG", ("EX", TRUE)),
            ("AX", ("EW", Q, P)),
        ],
        [("EX", ("AX", P)), ("EX", ("AF", P)), ("EX", ("EU", Q, P)), ("EX", ("AU", Q, P))],
    )
    check(
        machine_from(DEAD, dead_ends="stop"),
        [
            ("AX", ("AX", P)),  # AX is true at a dead end
            ("AX", ("EG", Q)),
            ("AX", ("AG", Q)),
            ("AX", ("EW", Q, P)),
            ("AX", ("AW", Q, P)),
            ("AX", ("ER", P, Q)),
            ("AX", ("AR", P, Q)),
            ("AX", ("AF", Q)),
            ("AU", P, Q),
            ("AX", no(("EX", TRUE))),
            ("EG", ("or", P, Q)),
        ],
        [
            ("EX", ("EX", Q)),  # EX is false
            ("AG", ("EX", TRUE)),
            ("EX", ("AF", P)),
            ("EX", ("EF", P)),
            ("EX", ("AU", Q, P)),
            ("EX", ("EU", Q, P)),
            ("EG", P),
            ("AX", ("EG", P)),
        ],
    )


def test_r3_initial_dead_end() -> None:
    check(machine_from("main  a:p\n"), [("EX", P), ("AG", P), ("AX", P)], [("AX", Q), ("EF", Q)])
    stop = machine_from("main  a:p\n", dead_ends="stop")
    check(
        stop,
        [("AX", Q), ("AG", P), ("EG", P), ("AF", P)],
        [("EX", P), ("AF", Q), ("EF", Q), ("AU", P, Q)],
    )


@pytest.mark.parametrize(
    "missing", ["", " without x>"], ids=["return node without successor", "missing return node"]
)
def test_r3_exit_without_way_back(missing: str) -> None:
    """Both are dead ends with the labels of the exit. Neither is the loop of the empty stack."""
    text = f"""
main  start
  box b = callee{missing}
  start -> b.e
callee  >e  x>:p
  e -> x
"""
    check(machine_from(text), [("AF", ("AG", P)), ("AG", ("EX", TRUE))], [("EG", no(P))])
    check(
        machine_from(text, dead_ends="stop"),
        [
            ("AX", ("AX", ("and", P, no(("EX", TRUE))))),
            ("AF", P),
            ("EF", ("EG", P)),
            ("AX", ("AX", ("AX", Q))),
        ],
        [("AG", ("EX", TRUE)), ("EX", ("EX", ("EX", P)))],
    )


def test_r3_missing_return_node_of_a_one_line_call() -> None:
    text = "main  start\n  box b = callee without m>\n  start -> b.m\ncallee  >m>:p\n"
    for semantics in ("standard", "rsmcheck"):
        stop = machine_from(text, dead_ends="stop", semantics=semantics)
        check(stop, [("EX", P), ("AX", ("AX", Q)), ("AX", ("AG", P))], [("EX", ("EX", TRUE))])
        stutter = machine_from(text, semantics=semantics)
        check(stutter, [("EX", P), ("AX", ("AG", P)), ("EX", ("EX", TRUE))], [("AX", ("AX", Q))])


def test_r4_holds_means_at_every_initial_node() -> None:
    text = "main  a:p  b:p,q\n  a -> b\n  b -> a\n"
    check(
        machine_from(text, initial=("a", "b")),
        [P, ("EF", Q), ("AX", P)],
        [Q, no(Q), ("EX", Q), no(("EX", Q))],
    )
    check(machine_from(text, initial=("b",)), [Q, ("AX", no(Q))], [no(Q)])


def test_r4_initial_nodes_are_at_the_empty_stack() -> None:
    """x is initial and an exit: it loops, though elsewhere it returns to `after`."""
    text = "main  >e  x>:p  after:q\n  box b = main\n  e -> b.e x\n  b.x -> after\n"
    check(machine_from(text, initial=("x",)), [("AG", P), ("EX", P)], [("EF", Q)])
    check(machine_from(text, initial=("after",)), [("AG", Q)], [("EF", P)])


def test_r5_labels_come_from_entry_and_exit() -> None:
    machine = machine_from(CALL)
    check(
        machine,
        [("AX", ("and", P, no(Q))), ("EF", ("and", ("and", P, Q), ("AX", R)))],
        [("EF", ("and", P, R))],
    )


def test_r5_edges_into_entries() -> None:
    """The edge back to e is no call: the stack stays as it is."""
    machine = machine_from(
        """
main  start  end:r
  box b = callee
  start -> b.e
  b.x -> end
callee  >e:p  m  x>
  e -> m
  m -> e x
"""
    )
    check(
        machine,
        [
            ("EX", ("EX", ("EX", P))),
            ("AG", ("EF", R)),
            ("EX", ("EX", ("EX", ("EX", R)))),
            ("EG", no(R)),
        ],
        [("AF", R), ("EX", ("EX", ("EX", R)))],
    )


def test_r6_weak_until_and_release() -> None:
    machine = machine_from("main  a:p  b:p,q  c\n  a -> a b\n  b -> c\n  c -> c\n")
    check(
        machine,
        [
            ("AW", P, Q),
            ("EW", P, R),
            ("AW", P, ("and", no(P), no(Q))),
            ("AR", Q, P),
            ("ER", R, P),
            ("EU", P, Q),
        ],
        [("AU", P, Q), ("AW", P, R), ("AR", R, P), ("ER", P, Q), ("EW", Q, R), ("EU", P, R)],
    )
