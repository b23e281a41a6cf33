"""Random programs of SMV: what they mean, for the oracle, and the text that says the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.smv_flat import (
    SYMBOLS,
    Drawing,
    Program,
    fitted,
    kind_of,
    text_of,
    type_text,
    wrap,
)

if TYPE_CHECKING:
    from random import Random


def domain(rng: Random) -> list[object]:
    kind = rng.choice(("bool", "bool", "int", "sym", "word"))
    if kind == "bool":
        return [False, True]
    if kind == "int":
        low = rng.choice((0, 0, -1, 1))
        return list(range(low, low + rng.randint(2, 3)))
    if kind == "sym":
        return list(SYMBOLS[: rng.randint(2, 3)])
    width = rng.choice((2, -2))
    return sorted((wrap(i, width) for i in range(4)), key=lambda word: word[1])


class Draft:
    """A program while it is drawn, and the lines of the file that says the same."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.program = rng, Program()
        self.main: list[str] = ["CONSTANTS a, b, c;"]
        self.child: list[str] = []
        self.more: list[tuple[str, tuple]] = []
        self.head = ""
        program = self.program
        for i in range(rng.randint(1, 2)):
            program.domains[f"v{i}"] = domain(rng)
        self.has_inner = rng.random() < 0.5
        if self.has_inner:
            program.domains["sub.u"] = domain(rng)
        self.has_array = rng.random() < 0.25
        if self.has_array:
            program.domains["arr[0]"] = program.domains["arr[1]"] = domain(rng)
        if rng.random() < 0.3:
            program.inputs["i"] = domain(rng)
        if rng.random() < 0.2:
            program.frozen.add("v0")
        self.kinds = {name: kind_of(each) for name, each in program.domains.items()}
        self.declare()
        seen = {**self.kinds, **{name: kind_of(each) for name, each in program.inputs.items()}}
        self.state = Drawing(rng, self.kinds, self.more)
        self.step = Drawing(rng, seen, self.more)
        self.assign()
        self.run_processes()
        self.constrain()

    def declare(self) -> None:
        """Variables, instances in instances, and an array."""
        program, main = self.program, self.main
        for name, each in program.domains.items():
            section = "FROZENVAR" if name in program.frozen else "VAR"
            where = self.child if name == "sub.u" else main
            if not name.startswith("arr["):
                where.append(f"{section} {name.removeprefix('sub.')} : {type_text(each)};")
        main += [f"IVAR {name} : {type_text(each)};" for name, each in program.inputs.items()]
        if self.has_inner:
            self.nest()
        if self.has_array:
            main.append(f"VAR arr : array 0..1 of {type_text(program.domains['arr[0]'])};")
            at = ("ite", Drawing(self.rng, self.kinds).expr("bool", 1), ("const", 0), ("const", 1))
            items = [("var", "arr[0]"), ("var", "arr[1]")]
            self.more.append((self.kinds["arr[0]"], ("index", at, 0, items, "arr")))

    def nest(self) -> None:
        """A module with a parameter, which it gives to an instance inside of it."""
        kind = self.kinds["v0"]
        given = Drawing(self.rng, self.kinds).expr(kind, 1)
        self.main.append(f"VAR sub : child({text_of(given)});")
        turned = kind == "bool" and self.rng.random() < 0.5
        passed = ("!", given) if turned else given
        self.child += [
            "DEFINE copy := given;",
            f"VAR deep : grand({'!given' if turned else 'given'}, self);",
        ]
        self.head = "MODULE grand(g, up)\nDEFINE echo := g; over := up.copy; own := up.u;\n"
        self.more += [
            (kind, ("alias", "sub.copy", given)),
            (kind, ("alias", "sub.deep.echo", passed)),
            (kind, ("alias", "sub.deep.over", given)),
            (self.kinds["sub.u"], ("alias", "sub.deep.own", ("var", "sub.u"))),
        ]

    def assign(self) -> None:
        rng, program = self.rng, self.program
        done: set[str] = set()
        for name, each in program.domains.items():
            before = Drawing(rng, {other: self.kinds[other] for other in done})
            done.add(name)
            if rng.random() < 0.7:
                program.init[name] = _right(rng, before, each)
            if name not in program.frozen and rng.random() < 0.7:
                program.next[name] = _right(rng, self.step, each)
        for which, rights in (("init", program.init), ("next", program.next)):
            self.main += [f"ASSIGN {which}({n}) := {text_of(e)};" for n, e in rights.items()]

    def run_processes(self) -> None:
        rng, program = self.rng, self.program
        names = [name for name in program.domains if name not in program.frozen]
        if not names or rng.random() < 0.75:
            return
        self.head += "MODULE worker(x, right)\nASSIGN next(x) := right;\n"
        for i in range(rng.randint(1, 2)):
            name = rng.choice(names)
            right = _right(rng, self.step, program.domains[name])
            program.processes.append({name: right})
            self.main.append(f"VAR p{i} : process worker({name}, {text_of(right)});")

    def constrain(self) -> None:
        rng, program, state = self.rng, self.program, self.state
        for _ in range(rng.choice((0, 0, 1))):
            program.inits.append(state.expr("bool", 2))
        for _ in range(rng.choice((0, 1, 1, 2))):
            a, b = self.step.expr("bool", 2), ("next", state.expr("bool", 2))
            program.trans.append((rng.choice(("|", "->", "&", "<->")), a, b))
        if rng.random() < 0.2:
            program.invars.append(state.expr("bool", 1))
        if rng.random() < 0.3:
            program.fair.append(state.expr("bool", 1))
        if rng.random() < 0.2:
            program.strong.append((state.expr("bool", 1), state.expr("bool", 1)))
        for section, listed in (
            ("INIT", program.inits),
            ("TRANS", program.trans),
            ("INVAR", program.invars),
            ("FAIRNESS", program.fair),
        ):
            self.main += [f"{section} {text_of(e)}" for e in listed]
        for p, q in program.strong:
            self.main.append(f"COMPASSION ({text_of(p)}, {text_of(q)})")

    @property
    def text(self) -> str:
        child = "MODULE child(given)\n" + "\n".join(self.child) + "\n" if self.has_inner else ""
        return self.head + child + "MODULE main\n" + "\n".join(self.main) + "\n"


def _right(rng: Random, drawing: Drawing, each: list[object]) -> tuple[object, ...]:
    kind = kind_of(each)
    right = fitted(rng, drawing.expr(kind, 2), each)
    if rng.random() < 0.4:
        return ("set", right, fitted(rng, drawing.expr(kind, 1), each))
    return right
