"""Certificates written by hand: drafts of levels by names, and the bytes of a file.

The inverse of `pigro.certificates.reading`. A `Draft` takes names of nodes without their component
("in", "b.out" for a return node). Blocks, links and instances are numbered in the order they come.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest

import pigro
from pigro.certificates import check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.certificates.path_reading import LIVE, shape_marks
from pigro.certificates.reading import CertificateBlock, ClaimLevel, Instance, Link, OperandContext
from pigro.logic import parse
from pigro.logic.levels import levels_of
from pigro.logic.normal import EG, EU, EX
from pigro.logic.path_normal import EXISTS, path_normal_form
from pigro.model import DeadEnds, Semantics

MAGIC = b"pigro certificate 1\n"
CHECKERS = [
    pytest.param(lambda model, data: list(check_certificates(model, data)), id="python"),
    pytest.param(lambda model, data: list(check_certificates_natively(model, data)), id="native"),
]


class Lemmas(NamedTuple):
    """A section of lemmas: its two levels."""

    levels: tuple[ClaimLevel, ...]


class Proof(NamedTuple):
    """A section about a formula."""

    formula: str
    holds: bool
    initial: tuple[int, ...]
    levels: tuple[ClaimLevel, ...]
    top: tuple[OperandContext, ...]


def graph(edges, labels=None, initial="a", **choices):
    """A model without calls, from edges such as `a>b b>b` and labels of nodes."""
    rows = {}
    for edge in edges.split():
        source, _, target = edge.partition(">")
        rows.setdefault(source, []).extend([target] if target else [])
        rows.setdefault(target or source, [])
    texts = []
    for node, targets in rows.items():
        carried = " ".join((labels or {}).get(node, []))
        texts.append(f"{node} {carried} > {' '.join(targets)}" if targets else f"{node} {carried}")
    return program([f"main:{each}" for each in initial], **choices, main="; ".join(texts))


def program(initial, /, *, dead_ends="stutter", **components):
    """A model from texts such as `start p > b.in; b.out > after; b calls callee; out exit`."""
    model = pigro.ModelBuilder()
    for name, text in components.items():
        component = model.component(name)
        lines = [line.split() for line in text.split(";") if line.strip()]
        boxes = {
            words[0]: component.box(words[0], calls=words[2])
            for words in lines
            if words[1:2] == ["calls"]
        }
        for words in lines:
            if words[1:2] == ["calls"] or "." in words[0]:
                continue
            head = words[1 : words.index(">")] if ">" in words else words[1:]
            component.node(
                words[0],
                entry=words[0].startswith("in"),
                exit=words[0].startswith("out"),
                labels=head,
            )
        for words in lines:
            if ">" in words:
                box, _, exit_ = words[0].partition(".")
                source = boxes[box].returned(exit_) if exit_ else box
                for target in words[words.index(">") + 1 :]:
                    box, _, entry = target.partition(".")
                    component.edge(source, boxes[box].call(entry) if entry else box)
            elif "." in words[0]:
                box, _, exit_ = words[0].partition(".")
                boxes[box].returned(exit_)
    return model.build(initial=initial, dead_ends=dead_ends)


class Places:
    """Nodes, exits and boxes of a model, by name."""

    def __init__(self, model):
        self.model = model
        core, names = model.core, model.names
        self.components = {name: number for number, name in enumerate(names.components)}
        self.rows = [core.nodes_of(number) for number in range(core.components)]
        self.exits = [[n for n in row if core.kind(n).name == "EXIT"] for row in self.rows]
        self.boxes = [[names.boxes[box] for box in core.boxes_of(c)] for c in range(len(self.rows))]
        self.nodes = {
            model.node_name(node): node - row[0]
            for row in self.rows
            for node in row
            if core.kind(node).name != "CALL"
        }

    def node(self, component, name):
        return self.nodes[f"{self.model.names.components[component]}:{name}"]

    def exit_set(self, component, names):
        local = [node - self.rows[component][0] for node in self.exits[component]]
        return sum(1 << local.index(self.node(component, name)) for name in names.split())


class Draft:
    """A level under construction."""

    def __init__(self, places, op):
        self.places, self.op = places, op
        self.operand_contexts, self.links, self.instances, self.instance_links = [], [], [], []
        self.blocks = []
        self.relevant = None

    def operands(self, component, *lower):
        self.operand_contexts.append(OperandContext(self.places.components[component], lower))
        return len(self.operand_contexts) - 1

    def _box(self, operands, name):
        return self.places.boxes[self.operand_contexts[operands].component].index(name)

    def link(self, source, box, target):
        self.links.append(Link(source, self._box(source, box), target))

    def instance(self, operands, true="", false="", *, root=False):
        masks = [
            self.places.exit_set(self.operand_contexts[operands].component, names)
            for names in (true, false)
        ]
        self.instances.append(Instance(operands, root, *masks))
        return len(self.instances) - 1

    def root(self, operands, true="", false=""):
        return self.instance(operands, true, false, root=True)

    def instance_link(self, source, box, target):
        number = self._box(self.instances[source].operands, box)
        self.instance_links.append(Link(source, number, target))

    def _block(self, operands, sure, nodes, exits, entry):
        component = self.operand_contexts[operands].component
        places = [self.places.node(component, name) for name in nodes.split()]
        if sure != (self.op == EU):
            places.sort()
        at = None if entry is None else self.places.node(component, entry)
        z = self.places.exit_set(component, exits)
        self.blocks.append(CertificateBlock(operands, sure, at, z, tuple(places)))

    def sure(self, operands, nodes, exits="", entry=None):
        self._block(operands, True, nodes, exits, entry)

    def bound(self, operands, nodes, exits="", entry=None):
        self._block(operands, False, nodes, exits, entry)

    def irrelevant_but(self, *components):
        self.relevant = tuple(sorted(self.places.components[name] for name in components))

    def level(self):
        return ClaimLevel(
            tuple(self.operand_contexts),
            tuple(self.links),
            tuple(self.instances),
            tuple(self.instance_links),
            self.relevant,
            tuple(self.blocks),
        )


class Certificate:
    """A formula with drafts for all its levels, and for the top."""

    def __init__(self, model, formula, *, holds, initial=None):
        self.places = Places(model)
        self.formula, self.holds = formula, holds
        self.initial = model.initial if initial is None else initial
        self.levels = [Draft(self.places, op) for op in temporal(formula)]
        self.tops = []

    def top(self, component, *lower):
        self.tops.append(OperandContext(self.places.components[component], lower))

    def proof(self):
        levels = tuple(draft.level() for draft in self.levels)
        return Proof(self.formula, self.holds, tuple(self.initial), levels, tuple(self.tops))


def one_level(model, formula, *, holds, component="main"):
    """A certificate with one operand context, its root, and the top, and the draft of its level."""
    certificate = Certificate(model, formula, holds=holds)
    (level,) = certificate.levels
    certificate.top(component, level.root(level.operands(component)))
    return certificate, level


def with_call(model, formula, *, holds):
    """The same, and an operand context of `f` that box `b` of `main` links to."""
    certificate, level = one_level(model, formula, holds=holds)
    level.operands("f")
    level.link(0, "b", 1)
    return certificate, level


class LemmaDrafts:
    """The two levels of a section of lemmas."""

    def __init__(self, model):
        self.places = Places(model)
        self.until, self.globally = Draft(self.places, EU), Draft(self.places, EG)
        self.until.relevant = self.globally.relevant = ()

    def lemmas(self):
        return Lemmas((self.until.level(), self.globally.level()))


def temporal(formula):
    """The operators of the levels of a formula."""
    return [op for op in path_normal_form(parse(formula)).ops if EX <= op <= EXISTS]


def number(value):
    row = bytearray()
    while value > 127:
        row.append(value & 127 | 128)
        value >>= 7
    row.append(value)
    return bytes(row)


def numbers(*values):
    return b"".join(map(number, values))


def number_set(members, *, as_bits=False):
    members = sorted(members)
    if as_bits:
        row = bytearray(members[-1] // 8 + 1 if members else 0)
        for each in members:
            row[each // 8] |= 1 << each % 8
        return number(2 * len(row) + 1) + bytes(row)
    steps = [two - one - 1 for one, two in pairwise([-1, *members])]
    return numbers(2 * len(members), *steps)


def bit_set(bits):
    return number_set([at for at in range(bits.bit_length()) if bits >> at & 1])


def number_list(members):
    steps = [two - one for one, two in pairwise([0, *members])]
    return numbers(len(members), *(2 * d if d >= 0 else -2 * d - 1 for d in steps))


def several(parts):
    parts = list(parts)
    return number(len(parts)) + b"".join(parts)


def _operand_context(operands):
    return numbers(operands.component, *(0 if at is None else 1 + at for at in operands.lower))


def _instance(instance):
    operands, root, true, false = instance
    return numbers(operands, int(root)) + bit_set(true) + bit_set(false)


def _block(op, block, as_bits):
    entry = 0 if block.entry is None else 1 + block.entry
    head = numbers(block.operands, int(block.sure), entry) + bit_set(block.exits)
    if block.sure == (op == EU):
        return head + number_list(block.nodes)
    return head + number_set(block.nodes, as_bits=as_bits)


def _places(vertices, *, operand_contexts):
    """Vertices one after the other, each as far from the one before as it is."""
    made = [number(len(vertices))]
    for before, at in pairwise([None, *vertices]):
        step = at.node - (before.node if before else 0)
        row = (at.operands, at.state) if operand_contexts else (at.state,)
        made.append(numbers(*row, 2 * step if step >= 0 else -2 * step - 1))
    return b"".join(made)


def _sure(block):
    if block.kind >= LIVE:
        return number(block.kind) + _places(block.vertices, operand_contexts=True)
    head = numbers(block.kind, block.operands) + bit_set(block.exits)
    return head + _places(block.vertices, operand_contexts=False)


def _bound(block, marks):
    entry = block.entry
    head = numbers(block.operands, 0) if entry is None else numbers(block.operands, 1, *entry[1:])
    rows = []
    for state in sorted({at.state for at in block.marks}):
        nodes = {at.node: seen for at, seen in block.marks.items() if at.state == state}
        sets = [nodes, *([n for n in nodes if nodes[n] >> m & 1] for m in range(marks))]
        rows.append(number(state) + b"".join(map(number_set, sets[: 1 if entry is None else None])))
    return head + several(rows)


def path_level_bytes(marks, level):
    """A level over a path formula with so many marks."""
    paths = level.paths
    return b"".join(
        [
            several(map(bit_set, paths.states)),
            several(map(_operand_context, level.operand_contexts)),
            several(numbers(*link) for link in level.links),
            several(map(_instance, level.instances)),
            several(numbers(*link) for link in level.instance_links),
            several(map(_sure, paths.sure)),
            several(_bound(block, marks) for block in paths.bound),
            several(
                number(0 if mark is None else 1 + mark) + _places(vertices, operand_contexts=True)
                for mark, vertices in paths.parts
            ),
        ]
    )


def level_bytes(op, level, *, as_bits=False):
    return b"".join(
        [
            several(map(_operand_context, level.operand_contexts)),
            several(numbers(*link) for link in level.links),
            several(map(_instance, level.instances)),
            several(numbers(*link) for link in level.instance_links),
            number(0)
            if level.relevant is None
            else numbers(1 + len(level.relevant), *level.relevant),
            several(_block(op, block, as_bits) for block in level.blocks),
        ]
    )


def lemma_bytes(lemmas, *, as_bits=False):
    pairs = zip((EU, EG), lemmas.levels, strict=True)
    return b"".join(level_bytes(op, level, as_bits=as_bits) for op, level in pairs)


def proof_bytes(proof, *, as_bits=False):
    text = proof.formula.encode()
    shapes = levels_of(path_normal_form(parse(proof.formula)))[:-1]
    pairs = zip(shapes, proof.levels, strict=True)
    return b"".join(
        [
            number(len(text)) + text,
            bytes([proof.holds]),
            several(map(number, proof.initial)),
            *(
                level_bytes(shape.op, level, as_bits=as_bits)
                if level.paths is None
                else path_level_bytes(shape_marks(shape), level)
                for shape, level in pairs
            ),
            several(map(_operand_context, proof.top)),
        ]
    )


def header_bytes(model):
    semantics = list(Semantics).index(model.semantics)
    return MAGIC + bytes([semantics, model.dead_ends is DeadEnds.STOP]) + model.digest


def section_bytes(kind, body):
    return kind + number(len(body)) + body


def file_bytes(model, *sections, as_bits=False):
    """A file with these `Lemmas` and `Proof`s."""
    rows = [
        section_bytes(b"L", lemma_bytes(each, as_bits=as_bits))
        if isinstance(each, Lemmas)
        else section_bytes(b"F", proof_bytes(each, as_bits=as_bits))
        for each in sections
    ]
    return header_bytes(model) + b"".join(rows)


def rejected_by(checker):
    """Asserts that a certificate makes a false claim. Gives the problem that a checker finds."""

    def check(model, certificate, *lemmas):
        proof = certificate.proof()
        truth = pigro.check(model.with_initial(proof.initial), proof.formula)
        assert truth.holds is not None
        assert truth.holds != proof.holds
        sections = [each.lemmas() for each in lemmas]
        (checked,) = checker(model, file_bytes(model, *sections, proof))
        assert (checked.formula, checked.holds) == (proof.formula, proof.holds)
        assert checked.initial == tuple(proof.initial)
        assert checked.problem is not None
        rule, level, what, index, node, in_lemmas = checked.problem
        named = node
        if what == "block":
            levels = sections[-1].levels if in_lemmas else proof.levels
            block = levels[level - 1].blocks[index]
            component = levels[level - 1].operand_contexts[block.operands].component
            named = name_of(model, component, node)
        elif what == "component" and node is not None:
            named = name_of(model, index, node)
        return (rule, level, what, index, named, *(["lemmas"] if in_lemmas else []))

    return check


def name_of(model, component, node):
    return model.node_name(model.core.nodes_of(component)[node])


def two_levels(model, formula, *, holds, true="", false=""):
    """Outer EF over an inner operator that is asked in `f`: at `C`, which box `b` links to."""
    certificate = Certificate(model, formula, holds=holds)
    inner, outer = certificate.levels
    inner.link(inner.operands("main"), "b", inner.operands("f"))
    inner.instance_link(inner.root(0), "b", inner.instance(1, true, false))
    outer.link(outer.operands("main", 0), "b", outer.operands("f", 1))
    certificate.top("main", outer.root(0))
    return certificate, inner, outer
