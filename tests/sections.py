"""Sections of certificates as plain tuples, from and to bytes (docs/certificates.md).

Nothing is checked: what is written down may be nonsense, which is the point of tests. Numbers are
those of the file; a set of exits is an int with bit i for exit i.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pigro.logic import existential_normal_form, parse
from pigro.logic.normal import ATOM, EG, EU, EX


class Argument(NamedTuple):
    component: int
    lower: tuple[int | None, ...] = ()


class Link(NamedTuple):
    source: int
    box: int
    target: int


class Instance(NamedTuple):
    argument: int
    root: bool
    true: int
    false: int


class Block(NamedTuple):
    argument: int
    sure: bool
    entry: int | None
    exits: int
    nodes: tuple[int, ...]


class Level(NamedTuple):
    arguments: tuple[Argument, ...] = ()
    links: tuple[Link, ...] = ()
    instances: tuple[Instance, ...] = ()
    instance_links: tuple[Link, ...] = ()
    hot: tuple[int, ...] | None = None
    blocks: tuple[Block, ...] = ()


class Proof(NamedTuple):
    """A certificate: the lemmas' two levels, if there are any, and the section about a formula."""

    lemmas: tuple[Level, ...]
    formula: str
    holds: bool
    initial: tuple[int, ...]
    levels: tuple[Level, ...]
    top: tuple[Argument, ...]


class Shape(NamedTuple):
    """The temporal operators of a formula's normal form, and of each its children; the top last."""

    ops: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]


LEMMA_SHAPE = Shape((EU, EG), ((), (), ()))


@lru_cache(maxsize=64)
def shape_of(formula: str) -> Shape:
    form = existential_normal_form(parse(formula))
    number: dict[int, int] = {}
    found: list[tuple[int, ...]] = []

    def children(*roots: int) -> tuple[int, ...]:
        seen: set[int] = set()
        todo = list(roots)
        for at in todo:  # grows
            if form.ops[at] >= EX:
                seen.add(number[at])
            elif form.ops[at] > ATOM:
                todo += [each for each in (form.left[at], form.right[at]) if each >= 0]
        return tuple(sorted(seen))

    for at, op in enumerate(form.ops):
        if op >= EX:
            found.append(children(form.left[at], *([form.right[at]] if op == EU else [])))
            number[at] = len(found) - 1
    found.append(children(len(form.ops) - 1))
    return Shape(tuple(op for op in form.ops if op >= EX), tuple(found))


def is_ordered(op: int, *, sure: bool) -> bool:
    """Sure blocks of EU and bound blocks of EG are lists."""
    return sure == (op == EU)


# --- from bytes -----------------------------------------------------------------------------------


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def several(self, read):
        return tuple(read() for _ in range(self.number()))

    def set(self):
        head = self.number()
        if head % 2:
            bits = [self.byte() for _ in range(head // 2)]
            return [8 * i + j for i, row in enumerate(bits) for j in range(8) if row >> j & 1]
        found, at = [], -1
        for _ in range(head // 2):
            at += 1 + self.number()
            found.append(at)
        return found

    def bits(self):
        return sum(1 << at for at in self.set())

    def list(self):
        found, at = [], 0
        for _ in range(self.number()):
            step = self.number()
            at += -(step // 2) - 1 if step % 2 else step // 2
            found.append(at)
        return found

    def argument(self, children):
        component = self.number()
        lower = [self.number() for _ in range(children)]
        return Argument(component, tuple([at - 1 if at else None for at in lower]))

    def link(self):
        return Link(self.number(), self.number(), self.number())

    def instance(self):
        return Instance(self.number(), self.number() == 1, self.bits(), self.bits())

    def block(self, op):
        argument, sure, entry = self.number(), self.number() == 1, self.number()
        exits = self.bits()
        nodes = self.list() if is_ordered(op, sure=sure) else self.set()
        return Block(argument, sure, entry - 1 if entry else None, exits, tuple(nodes))

    def hot(self):
        count = self.number()
        return tuple(self.number() for _ in range(count - 1)) if count else None

    def level(self, op, children):
        return Level(
            self.several(lambda: self.argument(children)),
            self.several(self.link),
            self.several(self.instance),
            self.several(self.link),
            self.hot(),
            self.several(lambda: self.block(op)),
        )


def read_proof(lemmas: bytes, formula: str, body: bytes) -> Proof:
    """From the bodies of a section of lemmas (perhaps empty) and of the one about the formula."""
    shape = shape_of(formula)
    known = _Reader(lemmas)
    of_lemmas = tuple(known.level(op, 0) for op in LEMMA_SHAPE.ops) if lemmas else ()
    reader = _Reader(body)
    length = reader.number()
    reader.at += length
    holds = reader.byte() == 1
    initial = reader.several(reader.number)
    levels = tuple(
        reader.level(op, len(children))
        for op, children in zip(shape.ops, shape.children, strict=False)
    )
    top = reader.several(lambda: reader.argument(len(shape.children[-1])))
    assert (known.at, reader.at) == (len(lemmas), len(body))
    return Proof(of_lemmas, formula, holds, initial, levels, top)


# --- to bytes -------------------------------------------------------------------------------------


def number(value: int) -> bytes:
    row = bytearray()
    while value > 127:
        row.append(value & 127 | 128)
        value >>= 7
    return bytes([*row, value])


def numbers(*values: int) -> bytes:
    return b"".join(map(number, values))


def _several(parts) -> bytes:
    parts = list(parts)
    return number(len(parts)) + b"".join(parts)


def _set(members) -> bytes:
    steps = [two - one - 1 for one, two in pairwise([-1, *sorted(set(members))])]
    return numbers(2 * len(steps), *steps)


def _bits(bits: int) -> bytes:
    return _set(at for at in range(bits.bit_length()) if bits >> at & 1)


def _list(members) -> bytes:
    steps = [two - one for one, two in pairwise([0, *members])]
    return numbers(len(members), *(2 * d if d >= 0 else -2 * d - 1 for d in steps))


def _argument(argument: Argument) -> bytes:
    return numbers(argument.component, *(0 if at is None else 1 + at for at in argument.lower))


def _instance(instance: Instance) -> bytes:
    head = numbers(instance.argument, int(instance.root))
    return head + _bits(instance.true) + _bits(instance.false)


def _block(op: int, block: Block) -> bytes:
    entry = 0 if block.entry is None else 1 + block.entry
    head = numbers(block.argument, int(block.sure), entry) + _bits(block.exits)
    return head + (_list if is_ordered(op, sure=block.sure) else _set)(block.nodes)


def _level(op: int, level: Level) -> bytes:
    return b"".join(
        [
            _several(map(_argument, level.arguments)),
            _several(numbers(*link) for link in level.links),
            _several(map(_instance, level.instances)),
            _several(numbers(*link) for link in level.instance_links),
            number(0) if level.hot is None else numbers(1 + len(level.hot), *level.hot),
            _several(_block(op, block) for block in level.blocks),
        ]
    )


def lemma_bytes(proof: Proof) -> bytes:
    """The body of the section of lemmas; empty if there are none."""
    return b"".join(map(_level, LEMMA_SHAPE.ops, proof.lemmas))


def formula_bytes(proof: Proof) -> bytes:
    """The body of the section about the formula."""
    text = proof.formula.encode()
    return b"".join(
        [
            number(len(text)) + text,
            bytes([proof.holds]),
            _several(map(number, proof.initial)),
            *map(_level, shape_of(proof.formula).ops, proof.levels),
            _several(map(_argument, proof.top)),
        ]
    )
