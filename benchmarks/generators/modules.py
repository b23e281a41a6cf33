"""Modules in SMV made for measuring: control flow graphs, and what static analysis asks of them."""

from __future__ import annotations

from random import Random

SHAPES = (
    "EF {}",
    "AG ({} -> EF {})",
    "AG ({} -> AF {})",
    "A [!{} U {}]",
    "EF ({} & EG !{})",
)
"""Of formulas that static analysis asks: a label comes, after another, before another, never."""


def control_flow(
    states: int = 5000, formulas: int = 4500, labels: int = 1500, seed: int = 1
) -> str:
    """An `.smv` file with one module and one variable: a control flow graph, with questions.

    The size of the one in section 5.5 of [Finis2012]. Steps lead forward, by one or by up to fifty.
    One in fifty leads back. A label holds at one to six states.
    """
    rng = Random(seed)
    lines = [*_head("main", states), "DEFINE"]
    for number in range(labels):
        held = sorted(rng.sample(range(states), rng.randint(1, 6)))
        lines.append(f"  l{number} := state in {_set(held)};")
    lines += ["ASSIGN", "  init(state) := s0;", "  next(state) := case"]
    for i in range(states):
        targets = {min(i + 1, states - 1)}
        if rng.random() < 0.3:
            targets.add(min(i + rng.randint(2, 50), states - 1))
        if rng.random() < 0.02:
            targets.add(rng.randrange(i + 1))
        lines.append(f"    state = s{i} : {_set(sorted(targets))};")
    lines.append("  esac;")
    return "\n".join(lines + _questions(rng, formulas, labels)) + "\n"


def procedures(modules: int, formulas: int = 20, states: int = 20, seed: int = 1) -> str:
    """An `.smv` file whose modules call each other, with one entry and one exit each.

    Steps lead forward. Every second state may call. The first two calls of module n go to modules
    2n + 1 and 2n + 2, so that all are reached, others to one of the next ten, and one in twenty to
    any module. Label n holds at a state of module n, and perhaps at one of others.
    """
    rng = Random(seed)
    lines: list[str] = []
    for number in reversed(range(modules)):  # questions are about the last one, `main`
        lines += [*_head(_module(number), states), "DEFINE"]
        for label in sorted({number, rng.randrange(modules), rng.randrange(modules)}):
            lines.append(f"  l{label} := state = s{rng.randrange(0, states, 2)};")
        lines += ["CALL", *_calls(rng, number, modules, states)]
        lines += ["ASSIGN", "  init(state) := s0;", "  next(state) := case"]
        for i in range(states - 1):
            targets = {i + 1} | ({rng.randint(i + 1, states - 1)} if rng.random() < 0.3 else set())
            lines.append(f"    state = s{i} : {_set(sorted(targets))};")
        lines += [f"    state = s{states - 1} : EXIT;", "  esac;"]
    return "\n".join(lines + _questions(rng, formulas, modules)) + "\n"


def behind(modules: int) -> str:
    """Figure 4.1 of [Finis2012] as an `.smv` file, with so many modules in a chain behind C.

    A calls B, B calls C, C calls m0, and each of the others the next one. Exits and m0 are ours.
    """
    texts = [
        _procedure(
            "main", "p := state in {s0, s2}", "B", "s0 : {s1, s2}; state = s1 : s2; TRUE : s2"
        ),
        _procedure("B", "p := state = s0; q := state = EXIT", "C", "s0 : {s1, EXIT}; TRUE : EXIT"),
        _procedure(
            "C", "p := state in {s0, s2}", "m0", "s0 : {s0, s2}; state = s2 : s1; TRUE : EXIT"
        ),
    ]
    for number in range(modules):
        callee = f"m{number + 1}" if number + 1 < modules else None
        texts.append(
            _procedure(f"m{number}", "p := FALSE", callee, "s0 : s1; state = s1 : s2; TRUE : EXIT")
        )
    return "".join(texts)


def _procedure(name: str, labels: str, callee: str | None, steps: str) -> str:
    call = f"CALL {callee} := state = s1; " if callee else ""
    return (
        f"MODULE {name} VAR state : {{s0, s1, s2}}; DEFINE {labels}; {call}"
        f"ASSIGN init(state) := s0; next(state) := case state = {steps}; esac;\n"
    )


def _calls(rng: Random, number: int, modules: int, states: int) -> list[str]:
    calling = [i for i in range(1, states - 1, 2) if i <= 3 or rng.random() < 0.3]
    lines = []
    for rank, state in enumerate(calling):
        callee = 2 * number + 1 + rank
        if rank >= 2 or callee >= modules:
            callee = min(number + rng.randint(1, 10), modules - 1)
            callee = rng.randrange(modules) if rng.random() < 0.05 else callee
        lines.append(f"  {_module(callee)} := state = s{state};")
    return lines


def _head(module: str, states: int) -> list[str]:
    return [f"MODULE {module}", "VAR", f"  state : {_set(range(states))};"]


def _module(number: int) -> str:
    return f"m{number}" if number else "main"


def _set(states: list[int] | range) -> str:
    return f"{{{', '.join(f's{i}' for i in states)}}}"


def _questions(rng: Random, formulas: int, labels: int) -> list[str]:
    lines = []
    for _ in range(formulas):
        shape = rng.choice(SHAPES)
        chosen = (f"l{rng.randrange(labels)}" for _ in range(shape.count("{}")))
        lines.append(f"SPEC {shape.format(*chosen)}")
    return lines
