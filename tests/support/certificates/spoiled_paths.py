"""Spoils certificates of path formulas, and sees that no checker accepts a wrong verdict.

A certificate comes from the engine, for a machine or for one that differs from it in a label or an edge: a right
proof about the wrong machine. Then one to three claims are changed, and perhaps the verdict. What the checker
complains about is taken out, a few times: as an adversary would. All stays well-formed, most of the time.

`python -m support.certificates.spoiled_paths --cases 20000` spoils so many, and ends with 1 if a checker accepts a wrong one.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from pigro.certificates import Malformed, check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.certificates.reading import FORMULA, LEMMAS, SectionReader, frames
from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.logic import parse
from pigro.model.plain import PlainModel

from oracle import mutate
from oracle.star_cases import star_case
from oracle.star_formula import to_text
from support.agreement.ctl import as_model
from support.certificates.drafts import header_bytes, section_bytes
from support.certificates.sections import Proof, formula_bytes, lemma_bytes
from support.certificates.star_traps import TRAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.certificates.answers import CertificateResult
    from pigro.certificates.path_reading import PathClaims, Vertex
    from pigro.certificates.reading import ClaimLevel
    from pigro.logic import Formula
    from pigro.model import RSM

    from oracle.machine import Machine

ENGINES = [replace(each, certify=True, certify_paths=True) for each in (DEMAND, EXHAUSTIVE)]
REPAIRS = 6
OF_EACH = 6
"""Spoiled certificates of each proof."""


class Spoiled(NamedTuple):
    """A certificate about a model, and the truth."""

    model: RSM
    proof: Proof
    truth: bool

    @property
    def data(self) -> bytes:
        return file_of(self.model, self.proof)


def file_of(model: RSM, proof: Proof) -> bytes:
    """The bytes of a file with one certificate."""
    lemmas = section_bytes(LEMMAS, lemma_bytes(proof)) if proof.lemmas else b""
    return header_bytes(model) + lemmas + section_bytes(FORMULA, formula_bytes(proof))


def read_file(model: RSM, data: bytes) -> Proof:
    """The certificate in a file with one."""
    plain, lemmas = PlainModel(model), ()
    for kind, body in frames(data):
        found = SectionReader(body, plain).section(kind)
        if kind == LEMMAS:
            lemmas = found.levels
    return Proof(lemmas, found.formula, found.holds, found.initial, found.levels, found.top)


def cases(seed: int) -> Iterator[Spoiled]:
    """Spoiled certificates of one machine."""
    rng = Random(seed)
    if rng.random() < 0.5:
        trap = rng.choice(TRAPS)
        machine, formula = trap.machine, parse(trap.formula)
        for _ in range(rng.randrange(3)):
            machine = mutate.mutate(rng, machine, rng.choice(mutate.KINDS)) or machine
    else:
        machine, formulas = star_case(seed, 1)
        formula = parse(to_text(formulas[0]))
    model = as_model(machine)
    [truth] = [verdict.holds for verdict in DEMAND.check_all(model, [formula])]
    assert truth is not None
    about = about_like(rng, machine, model, formula, truth=truth) if rng.random() < 0.8 else model
    [verdict] = rng.choice(ENGINES).check_all(about, [formula])
    assert verdict.certificate is not None
    try:
        proof = read_file(
            model, header_bytes(model) + verdict.certificate.to_bytes()[len(header_bytes(model)) :]
        )
    except Malformed:
        return
    yield Spoiled(model, proof, truth)
    for _ in range(OF_EACH):
        made = proof._replace(holds=not truth) if rng.random() < 0.5 else proof
        for _ in range(rng.randint(1, 3)):
            made = changed(rng, model, made)
        yield Spoiled(model, made, truth)


def about_like(rng: Random, machine: Machine, model: RSM, formula: Formula, *, truth: bool) -> RSM:
    """A model that differs a little, with another verdict if one is found; with the same numbers."""
    for _ in range(20):
        other = mutate.mutate(rng, machine, rng.choice(mutate.KINDS))
        about = model if other is None else as_model(other)
        if about.core.nodes == model.core.nodes:
            [verdict] = DEMAND.check_all(about, [formula])
            if verdict.holds is not truth:
                return about
    return model


def changed(rng: Random, model: RSM, proof: Proof) -> Proof:
    """The proof with one change, where there is something to change."""
    at = rng.randrange(len(proof.levels)) if proof.levels else -1
    if at < 0 or proof.levels[at].paths is None:
        return proof
    level = rng.choice(CHANGES)(rng, model, proof.levels[at])
    return proof._replace(levels=(*proof.levels[:at], level, *proof.levels[at + 1 :]))


def _some(rng: Random, row: tuple, change: Callable) -> tuple:
    """The row with one of its members changed."""
    if not row:
        return row
    at = rng.randrange(len(row))
    return (*row[:at], *change(row[at]), *row[at + 1 :])


def _list(rng: Random, row: tuple, other: Callable) -> tuple:
    """A list without a member, with one twice, with two swapped, or with one changed."""
    if not row:
        return row
    at, to = rng.randrange(len(row)), rng.randrange(len(row))
    made = list(row)
    match rng.randrange(5):
        case 0:
            del made[at]
        case 1:
            made.insert(to, made[at])
        case 2:
            made[at], made[to] = made[to], made[at]
        case 3:
            made.insert(to, other(made[at]))
        case _:
            made[at] = other(made[at])
    return tuple(made)


def _vertex(rng: Random, level: ClaimLevel) -> Callable[[Vertex], Vertex]:
    def other(at: Vertex) -> Vertex:
        match rng.randrange(4):
            case 0:
                return at._replace(state=rng.randrange(len(level.paths.states)))
            case 1:
                return at._replace(operands=rng.randrange(len(level.operand_contexts)))
            case _:
                return at._replace(node=max(0, at.node + rng.choice((-2, -1, 1, 2))))

    return other


def _paths(level: ClaimLevel, **new: object) -> ClaimLevel:
    return level._replace(paths=level.paths._replace(**new))


def sure(rng: Random, _model: RSM, level: ClaimLevel) -> ClaimLevel:
    """Changes the list of a block, its kind, or the order of blocks."""
    paths: PathClaims = level.paths
    if rng.random() < 0.2:
        return _paths(level, sure=_list(rng, paths.sure, lambda block: block))

    def change(block):
        match rng.randrange(4):
            case 0:
                return (
                    (block._replace(exits=block.exits ^ 1 << rng.randrange(4)),)
                    if block.operands is not None
                    else (block,)
                )
            case 1 if block.operands is None:
                return (block._replace(kind=5 - block.kind),)
            case 1:
                return (block._replace(kind=1 - block.kind),)
            case _:
                row = _list(rng, block.vertices, _vertex(rng, level))
                fixed = block.operands
                return (
                    block._replace(
                        vertices=row
                        if fixed is None
                        else tuple(at._replace(operands=fixed) for at in row)
                    ),
                )

    return _paths(level, sure=_some(rng, paths.sure, change))


def bound(rng: Random, _model: RSM, level: ClaimLevel) -> ClaimLevel:
    """Changes the vertices of a bound block, or their marks."""

    def change(block):
        rows = dict(block.marks)
        if not rows:
            return (block,)
        at = rng.choice(list(rows))
        match rng.randrange(4):
            case 0:
                del rows[at]
            case 1:
                rows[at] ^= 1 << rng.randrange(2)
            case 2:
                rows[_vertex(rng, level)(at)._replace(operands=block.operands)] = rows[at]
            case _:
                return (block._replace(marks=dict.fromkeys(rows, 0)),)
        if block.entry is not None and block.entry not in rows:
            return ()
        return (block._replace(marks=rows),)

    return _paths(level, bound=_some(rng, level.paths.bound, change))


def parts(rng: Random, _model: RSM, level: ClaimLevel) -> ClaimLevel:
    """Changes a part, its mark, or the order of parts."""

    def change(part):
        match rng.randrange(4):
            case 0:
                return (part._replace(mark=rng.choice((None, 0, 1))),)
            case 1:
                return (part._replace(vertices=part.vertices[::-1]),)
            case _:
                return (part._replace(vertices=_list(rng, part.vertices, _vertex(rng, level))),)

    row = level.paths.parts
    if rng.random() < 0.4 and len(row) > 1:
        match rng.randrange(2):
            case 0:
                return _paths(level, parts=_list(rng, row, lambda part: part))
            case _:  # all in one
                vertices = tuple(at for part in row for at in part.vertices)
                return _paths(
                    level,
                    parts=(row[0]._replace(mark=rng.choice((None, 0, 1)), vertices=vertices),),
                )
    return _paths(level, parts=_some(rng, row, change))


def masks(rng: Random, _model: RSM, level: ClaimLevel) -> ClaimLevel:
    """Changes what an instance says of exits, or whether it is a root."""

    def change(instance):
        match rng.randrange(4):
            case 0:
                return (instance._replace(root=not instance.root),)
            case 1:
                return (instance._replace(true=instance.false, false=instance.true),)
            case 2:
                return (instance._replace(true=instance.true ^ 1 << rng.randrange(4)),)
            case _:
                return (instance._replace(false=instance.false ^ 1 << rng.randrange(4)),)

    return level._replace(instances=_some(rng, level.instances, change))


def links(rng: Random, _model: RSM, level: ClaimLevel) -> ClaimLevel:
    """Changes a link, or leaves it out."""

    def change(of):
        def one(link):
            return () if rng.random() < 0.3 else (link._replace(target=rng.randrange(of)),)

        return one

    if rng.random() < 0.5:
        return level._replace(links=_some(rng, level.links, change(len(level.operand_contexts))))
    found = _some(rng, level.instance_links, change(max(1, len(level.instances))))
    return level._replace(instance_links=found)


def states(rng: Random, _model: RSM, level: ClaimLevel) -> ClaimLevel:
    """Changes a state. The first one has to stay."""
    first, *rest = level.paths.states
    made = _list(
        rng, tuple(rest), lambda state: state ^ 1 << rng.randrange(max(1, first.bit_length()))
    )
    return _paths(level, states=(first, *made))


CHANGES = (sure, sure, bound, parts, parts, masks, links, states)
_FAULT = re.compile(r"level (\d+), (.*?) (\d+)(?:, node (\d+))?$")


def repaired(proof: Proof, problem: object) -> Proof | None:
    """The proof without what the checker complains about. None if that can't be taken out."""
    found = _FAULT.search(str(problem))
    number = int(found[1]) - 1
    if number >= len(proof.levels) or proof.levels[number].paths is None or found[4] is None:
        return None
    level, at, node = proof.levels[number], int(found[3]), int(found[4])
    paths = level.paths
    match found[2]:
        case "block":
            row = list(paths.sure)
            row[at] = row[at]._replace(
                vertices=tuple(v for v in row[at].vertices if v.node != node)
            )
            level = _paths(level, sure=tuple(each for each in row if each.vertices))
        case "bound block":
            row = list(paths.bound)
            row[at] = row[at]._replace(
                marks={v: m for v, m in row[at].marks.items() if v.node != node}
            )
            kept = (b for b in row if b.entry is None or b.entry in b.marks)
            level = _paths(level, bound=tuple(kept))
        case "part":
            row = list(paths.parts)
            row[at] = row[at]._replace(
                vertices=tuple(v for v in row[at].vertices if v.node != node)
            )
            level = _paths(level, parts=tuple(row))
        case _:
            row = list(level.instances)
            mask = ~(1 << node)
            row = [each._replace(true=each.true & mask, false=each.false & mask) for each in row]
            level = level._replace(instances=tuple(row))
    return proof._replace(levels=(*proof.levels[:number], level, *proof.levels[number + 1 :]))


def answer(check: Callable, model: RSM, data: bytes) -> CertificateResult | str:
    """What a checker says."""
    try:
        [found] = check(model, data)
    except Malformed:
        return "malformed"
    return found


class Tally:
    """What came of all spoiled certificates."""

    def __init__(self) -> None:
        self.made = self.false = self.malformed = self.accepted = 0
        self.wrong: list[str] = []

    def take(self, name: str, each: Spoiled) -> None:
        """Asks the checkers, and repairs what they complain about."""
        proof: Proof | None = each.proof
        for _ in range(REPAIRS):
            if proof is None:
                return
            try:
                data = file_of(each.model, proof)
            except (AssertionError, ValueError, IndexError):
                return
            found, natively = (
                answer(check, each.model, data)
                for check in (check_certificates, check_certificates_natively)
            )
            self.made += 1
            if found != natively:
                self.wrong.append(f"{name}: {found} and {natively}")
            if isinstance(found, str):
                self.malformed += 1
                return
            self.false += proof.holds is not each.truth
            if found.problem is None:
                self.accepted += 1
                if found.holds is not each.truth:
                    self.wrong.append(f"{name}: accepted {found}")
                return
            proof = repaired(proof, found.problem)


def spoil(first: int, count: int) -> Tally:
    """Spoils certificates of machines from number `first` on, until `count` are made."""
    tally = Tally()
    while tally.made < count:
        for number, each in enumerate(cases(first)):
            tally.take(f"machine {first}, change {number}", each)
        first += 1
    return tally


def main() -> int:
    """Spoils so many certificates; 1 if a wrong one was accepted, or the checkers disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally = spoil(options.seed, options.cases)
    print(
        f"{tally.made:,} spoiled certificates, {tally.false:,} of wrong verdicts, "
        f"{tally.malformed:,} malformed, {tally.accepted:,} accepted"
    )
    print(*tally.wrong[:20], sep="\n")
    return bool(tally.wrong)


if __name__ == "__main__":
    raise SystemExit(main())
