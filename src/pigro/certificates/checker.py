"""Checks certificates: accepts them, or tells the first rule that is broken, and where.

Each rule is a function, with its text. Why nothing false passes: docs/certificate-rules.md.
Nothing is searched and no fixpoint is computed: every claim is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from pigro.certificates.answers import CertificateResult, Problem, RuleBroken
from pigro.certificates.path_rules import K, fault_of_paths
from pigro.certificates.path_values import PathClaimedValues
from pigro.certificates.reading import ClaimLevel, SectionReader, check_header, frames, is_ordered
from pigro.certificates.values import ClaimedValues, Known
from pigro.logic.normal import EG, EU, EX, TRUE
from pigro.model import RSM, DeadEnds
from pigro.model.plain import members

if TYPE_CHECKING:
    from pigro.certificates.reading import CertificateSection
    from pigro.certificates.values import ClaimPlace
    from pigro.model.plain import PlainModel


def r1_links(stage: ClaimedValues) -> None:  # noqa: C901 - four kinds of things
    """Lower instances of an operand context are of its component. If link(A, b) = A', then b calls
    the component of A', and each lower instance of A' is none or the link by b of that of A. If
    link(I, b) = C for instances, then the link by b of the operand context of I is that of C. Lower
    instances of the operand context of a root, and of those of the top, are none or roots.
    """
    level, operand_contexts = stage.level, stage.level.operand_contexts
    for at, operands in enumerate(operand_contexts):
        for child, instance in stage.lower(operands):
            fine = child.level.operand_contexts[instance.operands].component == operands.component
            if not fine or (stage.op == TRUE and not instance.root):
                raise broken(stage, 1, "operand context", at)
    for at, (source, box, target) in enumerate(level.links):
        above, below = operand_contexts[source], operand_contexts[target]
        fine = stage.model.parts[above.component].boxes[box].callee == below.component
        for child, old, new in zip(stage.children, above.lower, below.lower, strict=True):
            fine = fine and (
                new is None or (old is not None and child.joins.get((old, box)) == new)
            )
        if not fine:
            raise broken(stage, 1, "link", at)
    for at, instance in enumerate(level.instances):
        lower = stage.lower(operand_contexts[instance.operands])
        if instance.root and not all(each.root for _, each in lower):
            raise broken(stage, 1, "instance", at)
    for at, (source, box, target) in enumerate(level.instance_links):
        link = stage.links.get((level.instances[source].operands, box))
        if link != level.instances[target].operands:
            raise broken(stage, 1, "instance link", at)


def r2_until_sure(stage: ClaimedValues, at: ClaimPlace, node: int, earlier: set[int]) -> bool:
    """In order: phi2 is true at n; or phi1 is true and: n is an exit in Z; or some successor is
    earlier in the block; or R3.
    """
    if at.phi2[0] >> node & 1:
        return True
    leads = not earlier.isdisjoint(at.part.steps[node]) or r3_call(stage, at, node, earlier)
    return at.phi1[0] >> node & 1 == 1 and (at.is_exit_of_block(node) or leads)


def r3_call(
    stage: ClaimedValues, at: ClaimPlace, node: int, nodes: set[int], missing: int = -1
) -> bool:
    """Some successor is a call (b, en), and there is an earlier sure block of link(A, b) with
    entry en, such that for every exit e of its set, the return node (b, e) exists and is earlier
    in the block. (R4 lets it be missing, and asks for no order.)
    """
    return any(
        all(call.back.get(each, missing) in nodes for each in members(exits))
        for call in at.part.called[node]
        for exits in stage.about(True, at.operands, call)
    )


def r4_globally_sure(stage: ClaimedValues, at: ClaimPlace, node: int, nodes: set[int]) -> bool:
    """Phi is true at n; and: n is an exit in Z; or n is no exit and has no successor; or some
    successor is in the block; or some successor is a call (b, en), and there is a sure block of
    link(A, b) with entry en, such that for every exit e of its set, the return node (b, e) is in
    the block or does not exist.
    """
    if not at.phi1[0] >> node & 1:
        return False
    if not at.goes_on(node):
        return node not in at.part.place or at.is_exit_of_block(node)
    steps = not nodes.isdisjoint(at.part.steps[node])
    return steps or r3_call(stage, at, node, nodes, missing=node)


def r5_until_bound(stage: ClaimedValues, at: ClaimPlace, node: int, nodes: set[int]) -> bool:
    """phi2 is false at n; and: phi1 is false; or n is an exit in Z; or n is no exit, and all
    successors that are no calls are in the block, and for every call (b, en) among them there is a
    bound block of link(A, b) with entry en, such that for every exit e of its set, the return node
    (b, e) is in the block or does not exist.
    """
    if not at.phi2[1] >> node & 1 or at.phi1[1] >> node & 1:
        return at.phi2[1] >> node & 1 == 1
    if node in at.part.place:
        return at.is_exit_of_block(node)
    return _goes_only_to(stage, at, node, nodes, missing=node)


def r6_globally_bound(stage: ClaimedValues, at: ClaimPlace, node: int, earlier: set[int]) -> bool:
    """In order: phi is false at n; or n is an exit in Z; or n is no exit and has successors, and
    all that are no calls are earlier in the block, and for every call (b, en) among them there is
    an earlier bound block of link(A, b) with entry en, such that for every exit e of its set, the
    return node (b, e) exists and is earlier in the block.
    """
    if at.phi1[1] >> node & 1 or at.is_exit_of_block(node):
        return True
    return at.goes_on(node) and _goes_only_to(stage, at, node, earlier, missing=-1)


def _goes_only_to(
    stage: ClaimedValues, at: ClaimPlace, node: int, nodes: set[int], missing: int
) -> bool:
    """What R5 and R6 say of successors; `missing` stands for a return node that is not there."""
    return nodes.issuperset(at.part.steps[node]) and all(
        any(
            all(call.back.get(each, missing) in nodes for each in members(exits))
            for exits in stage.about(False, at.operands, call)
        )
        for call in at.part.called[node]
    )


_RULES: dict[
    tuple[int, bool], tuple[int, Callable[[ClaimedValues, ClaimPlace, int, set[int]], bool]]
] = {
    (EU, True): (2, r2_until_sure),
    (EG, True): (4, r4_globally_sure),
    (EU, False): (5, r5_until_bound),
    (EG, False): (6, r6_globally_bound),
}


def check_blocks(stage: ClaimedValues) -> None:
    """R2 to R6. A block whose order matters counts for others only after it was checked."""
    for block in stage.level.blocks:
        if not is_ordered(stage.op, sure=block.sure):
            stage.know(block)
    for index, block in enumerate(stage.level.blocks):
        number, rule = _RULES[stage.op, block.sure]
        ordered, at = is_ordered(stage.op, sure=block.sure), stage.place(block)
        nodes = set() if ordered else set(block.nodes)
        for node in block.nodes:
            if not rule(stage, at, node, nodes):
                by_call = number == 2 and at.phi1[0] >> node & 1 and at.part.called[node]
                raise broken(stage, 3 if by_call else number, "block", index, node)
            nodes.add(node)
        if ordered:
            stage.know(block)


def r7_masks(stage: ClaimedValues) -> None:  # noqa: C901 - roots and links, both sides
    """If link(I, b) = C for instances, then for e in T(C): if the return node (b, e) exists, the
    value at I and this node is true. If not: phi2 (EU) or phi (EG, EX) is true at e under the
    operand context of C, but under `stop` there is no such e for EX. For e in F(C) the same with
    false, and under `stop` EX needs nothing. At a root I: for e in T(I), phi2 (EU) or phi (EX, EG)
    is true at e under the operand context of I. For e in F(I) it is false.
    """
    level, stop = stage.level, stage.model.model.dead_ends is DeadEnds.STOP
    operand_contexts = [level.operand_contexts[each.operands] for each in level.instances]

    def loops(at: int, exit_: int, side: int) -> bool:
        node = stage.model.parts[operand_contexts[at].component].exits[exit_]
        return bool(stage.phis(operand_contexts[at])[1][side] >> node & 1)

    for at, instance in enumerate(level.instances):
        for side, mask in enumerate((instance.true, instance.false) if instance.root else ()):
            for each in members(mask):
                if not loops(at, each, side):
                    raise broken(stage, 7, "instance", at, each)
    for at, (source, box, target) in enumerate(level.instance_links):
        component, to = operand_contexts[source].component, level.instances[target]
        back = stage.model.parts[component].boxes[box].back
        for side, mask in enumerate((to.true, to.false)):
            for each in members(mask):
                if each in back:
                    fine = bool(stage.value(component, source)[side] >> back[each] & 1)
                else:
                    fine = side == 1 if stop and stage.op == EX else loops(target, each, side)
                if not fine:
                    raise broken(stage, 7, "instance link", at, each)


def r8_verdict(stage: ClaimedValues, section: CertificateSection) -> None:
    """Holds: at every initial node, the top is true. Fails: at some initial node, it is false."""
    tops = {each.component: each for each in section.top}
    for at, node in enumerate(section.initial):
        component = stage.model.component[node]
        value = stage.phis(tops[component])[0] if component in tops else (0, 0)
        local = node - stage.model.parts[component].first
        if section.holds and not value[0] >> local & 1:
            raise broken(stage, 8, "initial node", at)
        if not section.holds and value[1] >> local & 1:
            return
    if not section.holds:
        raise broken(stage, 8, "initial node", 0)


def r9_irrelevant(stage: ClaimedValues) -> None:
    """Every box of an irrelevant component that has a call node calls an irrelevant component.

    At every node of an irrelevant component, call nodes excepted, with the free operand context:
    phi1 is true and phi2 false for EU, and phi is true for EG.
    """
    if stage.level.relevant is None:
        return
    relevant, model = set(stage.level.relevant), stage.model
    for component, callee in model.callees:
        if component not in relevant and callee in relevant:
            raise broken(stage, 9, "component", component)
    unknown = [(0, 0)] * len(stage.children)
    first, second = stage.shape.evaluate((1 << model.nodes) - 1, model.label, unknown)
    fine = first[0] & second[1] if stage.op == EU else first[0]
    open_nodes = members(~fine & (1 << model.nodes) - 1)  # by labels alone: look closer
    for component in sorted({model.component[node] for node in open_nodes} - relevant):
        part, (first, second) = model.parts[component], stage.phis(stage.free(component))
        fine = first[0] & second[1] if stage.op == EU else first[0]
        for node in range(part.width):
            if not fine >> node & 1 and node not in part.calls:
                raise broken(stage, 9, "component", component, node)


def broken(
    stage: ClaimedValues, rule: int, what: str, index: int, node: int | None = None
) -> RuleBroken:
    """The exception for a broken rule."""
    name = f"K{rule - K}" if rule >= K else f"R{rule}"
    return RuleBroken(Problem(name, len(stage.below) + 1, what, index, node))


def k_paths(stage: ClaimedValues) -> None:
    """K2 to K9, of a level over a path formula."""
    fault = fault_of_paths(stage) if isinstance(stage, PathClaimedValues) else None
    if fault is not None:
        raise broken(stage, *fault)


def check_section(model: PlainModel, section: CertificateSection, lemmas: Known) -> None:
    """All rules, level by level; raises the first problem. Lemmas count from now on."""
    stages: list[ClaimedValues] = []
    for shape, level in zip(section.shape, section.levels, strict=False):
        has_path = level.paths is not None
        stage = (PathClaimedValues if has_path else ClaimedValues)(
            model, shape, level, stages, lemmas
        )
        for rule in (
            (r1_links, k_paths) if has_path else (r1_links, r9_irrelevant, check_blocks, r7_masks)
        ):
            rule(stage)
        stage.settle()
        stages.append(stage)
    if section.initial:
        top = ClaimedValues(model, section.shape[-1], ClaimLevel(section.top), stages, lemmas)
        r1_links(top)
        return r8_verdict(top, section)
    for stage in stages:
        for (op, sure, at, entry), exits in stage.known.items():
            component = stage.level.operand_contexts[at].component
            lemmas.setdefault((op, sure, component, entry), []).extend(exits)
    return None


def check_certificates(model: RSM, data: bytes) -> Iterator[CertificateResult]:
    """Checks each certificate in a file. `problem` of the answer is None if the proof is right.

    Raises `Malformed` if the bytes are not certificates, and `Mismatch` if they are about another
    model, or about another reading of it.

    >>> import pigro
    >>> model = pigro.load("examples/dataflow.rsm")
    >>> proof = pigro.check(model, "AF use_i", certify=True).certificate.to_bytes()
    >>> [(each.formula, each.problem) for each in pigro.check_certificates(model, proof)]
    [('AF use_i', None)]
    """
    plain, lemmas, wrong_lemmas = check_header(model, data).plain, Known(), None
    for kind, body in frames(data):
        section, problem = SectionReader(body, plain).section(kind), wrong_lemmas
        try:
            if problem is None:
                check_section(plain, section, lemmas)
        except RuleBroken as error:
            problem = error.args[0]
        if section.initial:
            yield CertificateResult(section.formula, section.holds, section.initial, problem)
        elif problem is not None:
            wrong_lemmas = problem._replace(in_lemmas=True)
