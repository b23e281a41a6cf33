"""Certificates, from bytes to data (docs/certificate-format.md). Nothing is believed, only read.

Numbers stay as they are in the file: nodes and boxes inside their component, exits by place. A set
is an int: bit i is set if i is a member.
"""

# ruff: noqa: UP014 - small tuples on a line each
from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pigro.certificates.path_reading import PathClaims, PathClaimsReader, read_states, shape_marks
from pigro.logic import parse
from pigro.logic.levels import FormulaLevel, levels_of, levels_without_formula
from pigro.logic.normal import EU, EX
from pigro.logic.path_normal import EXISTS, path_normal_form
from pigro.model import DeadEnds, Semantics
from pigro.model.plain import as_set, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.plain import PlainModel

MAGIC = b"pigro certificate 1\n"
HEADER = len(MAGIC) + 2 + 32
"""Bytes before the first section."""
READINGS = (Semantics.STANDARD, Semantics.RSMCHECK, Semantics.RMV)
"""By the byte that stands for them."""
LEMMAS, FORMULA = b"L", b"F"
_T = TypeVar("_T")
_Ids = tuple[int, ...]
OperandContext = NamedTuple(
    "OperandContext", [("component", int), ("lower", tuple[int | None, ...])]
)
Link = NamedTuple("Link", [("source", int), ("box", int), ("target", int)])
Instance = NamedTuple(
    "Instance", [("operands", int), ("root", bool), ("true", int), ("false", int)]
)


class CertificateBlock(NamedTuple):
    operands: int
    sure: bool
    entry: int | None
    exits: int
    nodes: _Ids


class ClaimLevel(NamedTuple):
    """What a certificate claims of one level of a formula (`FormulaLevel`)."""

    operand_contexts: tuple[OperandContext, ...]
    links: tuple[Link, ...] = ()
    instances: tuple[Instance, ...] = ()
    instance_links: tuple[Link, ...] = ()
    relevant: _Ids | None = None
    blocks: tuple[CertificateBlock, ...] = ()
    paths: PathClaims | None = None


class CertificateSection(NamedTuple):
    """About a formula, or lemmas, without a text and initial nodes."""

    formula: str
    holds: bool
    initial: _Ids
    shape: list[FormulaLevel]
    levels: tuple[ClaimLevel, ...]
    top: tuple[OperandContext, ...]


class CertificateHeader(NamedTuple):
    """How the model is read, and which one it is."""

    semantics: Semantics
    stop: bool
    digest: bytes


class Malformed(ValueError):
    """These bytes are no certificates about this model."""


class Mismatch(ValueError):
    """The certificates are about another model, or read it in another way."""


def read_header(data: bytes) -> CertificateHeader:
    """The start of a file."""
    reading = data[len(MAGIC) : len(MAGIC) + 2]
    if not data.startswith(MAGIC) or len(data) < HEADER or not _is_reading(*reading):
        raise Malformed("this is not a file of certificates, or it is of another version")
    return CertificateHeader(READINGS[reading[0]], reading[1] == 1, data[HEADER - 32 : HEADER])


def _is_reading(semantics: int, stop: int) -> bool:
    return semantics < len(READINGS) and stop <= 1


def check_header(model: RSM, data: bytes) -> RSM:
    """The `asked_model`. `Mismatch` if the certificates are about another model or reading."""
    header, model = read_header(data), model.listed()  # they are about states by number
    if header.semantics is not model.semantics:
        raise Mismatch("the certificates read the model in another semantics")
    if header.stop != (model.dead_ends is DeadEnds.STOP):
        raise Mismatch("the certificates read dead ends in another way")
    if header.digest != model.digest:
        raise Mismatch("the certificates are about another model")
    return asked_model(model, data)


def asked_model(model: RSM, data: bytes) -> RSM:
    """The model with the conditions that the formulas of a file speak of, as labels."""
    if model.conditions is None:
        return model
    bodies = [body for kind, body in frames(data) if kind == FORMULA]
    formulas = [read_formula(SectionReader(body).statement()[0]) for body in bodies]
    return model.about(atom for each in formulas for atom in each.atoms)


def is_ordered(op: int, *, sure: bool) -> bool:
    """Whether the order in a block matters: of EU in sure blocks, of EG in bound ones."""
    return sure == (op == EU)


class SectionReader:
    """Reads a file of sections, or the body of one."""

    def __init__(self, data: bytes, model: PlainModel | None = None, at: int = 0) -> None:
        self.data, self.at = data, at
        self._model = model

    @property
    def model(self) -> PlainModel:
        assert self._model is not None, "needed for all that is inside a section"
        return self._model

    def need(self, fine: object, what: str) -> None:
        if not fine:
            raise Malformed(f"{what}, before byte {self.at}")

    def take(self, count: int) -> bytes:
        self.at += count
        self.need(self.at <= len(self.data), "bytes are missing")
        return self.data[self.at - count : self.at]

    def number(self, end: int = 1 << 31) -> int:
        value, shift, byte = 0, 0, 128
        while byte > 127 and shift < 35:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            shift += 7
        self.need(byte < 128 and value < end, f"a number is not below {end}")
        return value

    def several(self, read: Callable[[], _T]) -> tuple[_T, ...]:
        return tuple([read() for _ in range(self.number())])

    def set(self, width: int) -> int:
        head, row, at = self.number(), [], -1
        if head % 2:
            found = int.from_bytes(self.take(head // 2), "little")
            self.need(head // 2 <= (width + 7) // 8 and not found >> width, "a set is too wide")
            return found
        for _ in range(head // 2):
            at += 1 + self.number(max(width - 1 - at, 0))
            row.append(at)
        return as_set(row, width)

    def list(self, width: int) -> Iterator[int]:
        at = 0
        for _ in range(self.number()):
            step = self.number()
            at += -(step // 2) - 1 if step % 2 else step // 2
            self.need(0 <= at < width, "a list has a node that is not there")
            yield at

    def operand_context(self, children: Sequence[ClaimLevel]) -> OperandContext:
        component = self.number(len(self.model.parts))
        lower = [self.number(1 + len(child.instances)) for child in children]
        return OperandContext(component, tuple([at - 1 if at else None for at in lower]))

    def links(self, components: Sequence[int]) -> tuple[Link, ...]:
        def link() -> Link:
            source = self.number(len(components))
            box = self.number(len(self.model.parts[components[source]].boxes))
            return Link(source, box, self.number(len(components)))

        found = self.several(link)
        self.need(len({each[:2] for each in found}) == len(found), "a link is there twice")
        return found

    def instance(self, operand_contexts: Sequence[OperandContext], states: int = 1) -> Instance:
        at = self.number(len(operand_contexts))
        exits = len(self.model.parts[operand_contexts[at].component].exits) * states
        return Instance(at, self.number(2) == 1, self.set(exits), self.set(exits))

    def block(self, op: int, operand_contexts: Sequence[OperandContext]) -> CertificateBlock:
        at = self.number(len(operand_contexts))
        part = self.model.parts[operand_contexts[at].component]
        sure, entry = self.number(2) == 1, self.number(1 + part.width) - 1
        exits, ordered = self.set(len(part.exits)), is_ordered(op, sure=sure)
        nodes = tuple(self.list(part.width) if ordered else members(self.set(part.width)))
        self.need(part.calls.keys().isdisjoint(nodes), "a claim is about a call node")
        self.need(entry < 0 or entry in nodes, "the entry of a block is not in it")
        self.need(not sure or entry < 0 or not exits & (exits - 1), "an entry has several exits")
        return CertificateBlock(at, sure, entry if entry >= 0 else None, exits, nodes)

    def level(self, op: int, children: Sequence[ClaimLevel]) -> ClaimLevel:
        operand_contexts = self.several(lambda: self.operand_context(children))
        links = self.links([each.component for each in operand_contexts])
        instances = self.several(lambda: self.instance(operand_contexts))
        instance_links = self.links(
            [operand_contexts[each.operands].component for each in instances]
        )
        count = self.number()
        relevant = tuple([self.number(len(self.model.parts)) for _ in range(count - 1)])
        self.need(
            all(one < two for one, two in pairwise(relevant)), "relevant components do not ascend"
        )
        blocks = self.several(lambda: self.block(op, operand_contexts))
        self.need(op != EX or not (count or blocks), "EX has blocks or relevant components")
        return ClaimLevel(
            operand_contexts, links, instances, instance_links, relevant if count else None, blocks
        )

    def path_level(self, shape: FormulaLevel, children: Sequence[ClaimLevel]) -> ClaimLevel:
        """A level over a path formula."""
        states = read_states(self, shape)
        operand_contexts = self.several(lambda: self.operand_context(children))
        links = self.links([each.component for each in operand_contexts])
        instances = self.several(lambda: self.instance(operand_contexts, len(states)))
        instance_links = self.links(
            [operand_contexts[each.operands].component for each in instances]
        )
        parts = [self.model.parts[each.component] for each in operand_contexts]
        paths = PathClaimsReader(self, states, parts, shape_marks(shape)).paths()
        return ClaimLevel(operand_contexts, links, instances, instance_links, paths=paths)

    def lemmas(self) -> CertificateSection:
        shape = levels_without_formula()
        levels = tuple([self.level(each.op, ()) for each in shape])
        fine = all(level.relevant == () and not level.instances for level in levels)
        self.need(fine, "lemmas have instances, or not all is irrelevant")
        return CertificateSection("", True, (), shape, levels, ())

    def statement(self) -> tuple[str, bool, _Ids]:
        """What a section about a formula claims. The node numbers are not checked."""
        text = self.take(self.number())
        try:
            formula = text.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise Malformed(f"no text, before byte {self.at}") from None
        holds = self.take(1)
        self.need(holds in {b"\0", b"\1"}, "a verdict is neither 0 nor 1")
        return formula, holds == b"\1", self.several(self.number)

    def proof(self) -> CertificateSection:
        formula, holds, initial = self.statement()
        core = self.model.model.core
        fine = initial and max(initial) < core.nodes and all(core.box(n) < 0 for n in initial)
        self.need(fine, "initial nodes are missing, or were not declared")
        shape = levels_of(path_normal_form(read_formula(formula)))
        levels: list[ClaimLevel] = []
        for each in shape[:-1]:
            children = [levels[child] for child in each.children]
            paths = each.op == EXISTS
            levels.append(
                self.path_level(each, children) if paths else self.level(each.op, children)
            )
        top = self.several(
            lambda: self.operand_context([levels[child] for child in shape[-1].children])
        )
        self.need(len({each.component for each in top}) == len(top), "two tops for a component")
        return CertificateSection(formula, holds, initial, shape, tuple(levels), top)

    def section(self, kind: bytes) -> CertificateSection:
        found = self.lemmas() if kind == LEMMAS else self.proof()
        self.need(self.at == len(self.data), "bytes are left over")
        return found


def read_formula(text: str) -> Formula:
    """The formula of a section. `Malformed` if it is none that can be proved."""
    try:
        formula = parse(text)
        path_normal_form(formula)
    except Exception as error:  # noqa: BLE001 - however it is no formula
        raise Malformed(f"no formula of CTL*: {error}") from None
    return formula


def frames(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The sections of a file as kind and body, unread."""
    file = SectionReader(data, at=HEADER)
    while file.at < len(data):
        kind = file.take(1)
        file.need(kind in {LEMMAS, FORMULA}, "a section is neither L nor F")
        yield kind, file.take(file.number())
