"""Certificates, changed a little: in place of what they claim, something else.

`change` applies a random change of a given kind and keeps the certificate well formed, as far as it
can. Changes of lemmas are those of blocks, operand contexts and links, with `lemma: ` before the kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.certificates.reading import CertificateBlock, Instance, Link, is_ordered
from pigro.logic.normal import EX

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from pigro.certificates.reading import ClaimLevel, OperandContext

    from support.certificates.sections import Proof
    from support.judges.claims import Judge


class Workshop:
    """A level under change, with the components of the model, and of the children their levels."""

    def __init__(self, judge: Judge, proof: Proof, number: int) -> None:
        """Levels of lemmas have negative numbers, as in claims.Claim."""
        self.judge, self.components = judge, judge.components
        self.op = judge.operators[number].op
        self.level = proof.lemmas[number] if number < 0 else proof.levels[number]
        children = () if number < 0 else judge.shape[number][1]
        self.below = [proof.levels[child] for child in children]

    def width(self, operands: int) -> int:
        return len(self.of(operands).points)

    def of(self, operands: int):
        return self.components[self.level.operand_contexts[operands].component]

    def of_instance(self, instance: int):
        return self.of(self.level.instances[instance].operands)

    def plain(self, operands: int) -> list[int]:
        return [at for at, point in enumerate(self.of(operands).points) if point is not None]

    def twins(self, operands: int) -> list[int]:
        """Other operand contexts, of the same component if there are any."""
        component = self.level.operand_contexts[operands].component
        others = [at for at in range(len(self.level.operand_contexts)) if at != operands]
        return [
            at for at in others if self.level.operand_contexts[at].component == component
        ] or others


Change = "Callable[[Random, Workshop], Level | None]"


def put(row: tuple, at: int, value) -> tuple:
    return (*row[:at], value, *row[at + 1 :])


def insert(row: tuple, at: int, value) -> tuple:
    return (*row[:at], value, *row[at:])


def drop(row: tuple, at: int) -> tuple:
    return (*row[:at], *row[at + 1 :])


def swap(rng: Random, row: tuple) -> tuple | None:
    if len(row) < 2:
        return None
    one, two = rng.sample(range(len(row)), 2)
    return put(put(row, one, row[two]), two, row[one])


# --- blocks ---------------------------------------------------------------------------------------


def well_formed(shop: Workshop, block: CertificateBlock) -> CertificateBlock:
    """The nearest block that is well formed."""
    plain = set(shop.plain(block.operands))
    nodes = tuple(node for node in block.nodes if node in plain)
    if not is_ordered(shop.op, sure=block.sure):
        nodes = tuple(sorted(set(nodes)))
    exits = block.exits & ((1 << len(shop.of(block.operands).exits)) - 1)
    several = block.sure and exits & (exits - 1)
    entry = None if several or block.entry not in nodes else block.entry
    return CertificateBlock(block.operands, block.sure, entry, exits, nodes)


def of_blocks(change: Callable[[Random, Workshop, CertificateBlock], CertificateBlock | None]):
    """A change of one block as one of a level."""

    def changed(rng: Random, shop: Workshop) -> ClaimLevel | None:
        blocks = shop.level.blocks
        if not blocks:
            return None
        at = rng.randrange(len(blocks))
        block = change(rng, shop, blocks[at])
        if block is None:
            return None
        return shop.level._replace(blocks=put(blocks, at, well_formed(shop, block)))

    return changed


def node_added(rng, shop, block):
    missing = [node for node in shop.plain(block.operands) if node not in block.nodes]
    if not missing:
        return None
    place = rng.randint(0, len(block.nodes))
    return block._replace(nodes=insert(block.nodes, place, rng.choice(missing)))


def all_nodes_added(rng, shop, block):
    nodes = shop.plain(block.operands)
    rng.shuffle(nodes)
    rest = [node for node in nodes if node not in block.nodes]
    return block._replace(nodes=(*block.nodes, *rest) if rng.random() < 0.5 else tuple(nodes))


def walk_added(rng, shop, block):
    """Some nodes along edges, so that each has the next one, the last perhaps the first."""
    core = shop.judge.model.core
    first = core.nodes_of(shop.level.operand_contexts[block.operands].component)[0]
    node = rng.choice(shop.plain(block.operands))
    walk = [node]
    for _ in range(rng.randint(1, 5)):
        after = [at - first for at in core.successors(node + first)]
        after = [at for at in after if shop.of(block.operands).points[at] is not None]
        if not after:
            break
        node = rng.choice(after)
        walk.append(node)
    if rng.random() < 0.7:  # as the rules want it: what a claim rests on comes first
        walk.reverse()
    old = list(block.nodes)
    new = [node for node in dict.fromkeys(walk) if node not in old]
    return block._replace(nodes=tuple(new + old if rng.random() < 0.5 else old + new))


def node_dropped(rng, shop, block):
    if not block.nodes:
        return None
    return block._replace(nodes=drop(block.nodes, rng.randrange(len(block.nodes))))


def nodes_swapped(rng, shop, block):
    nodes = swap(rng, block.nodes)
    if nodes is None or not is_ordered(shop.op, sure=block.sure):
        return None
    return block._replace(nodes=nodes)


def nodes_reversed(rng, shop, block):
    if len(block.nodes) < 2 or not is_ordered(shop.op, sure=block.sure):
        return None
    return block._replace(nodes=block.nodes[::-1])


def node_moved(rng, shop, block):
    if len(block.nodes) < 2 or not is_ordered(shop.op, sure=block.sure):
        return None
    at = rng.randrange(len(block.nodes))
    rest = drop(block.nodes, at)
    return block._replace(nodes=insert(rest, rng.randint(0, len(rest)), block.nodes[at]))


def exit_added(rng, shop, block):
    missing = [e for e in range(len(shop.of(block.operands).exits)) if not block.exits >> e & 1]
    return block._replace(exits=block.exits | 1 << rng.choice(missing)) if missing else None


def exit_dropped(rng, shop, block):
    there = [e for e in range(block.exits.bit_length()) if block.exits >> e & 1]
    return block._replace(exits=block.exits ^ 1 << rng.choice(there)) if there else None


def exit_replaced(rng, shop, block):
    less = exit_dropped(rng, shop, block)
    return less and exit_added(rng, shop, less)


def entry_changed(rng, shop, block):
    if not block.nodes:
        return None
    entry = rng.choice([None, *block.nodes])
    return None if entry == block.entry else block._replace(entry=entry)


def side_changed(rng, shop, block):
    return block._replace(sure=not block.sure)


def operands_changed(rng, shop, block):
    others = shop.twins(block.operands)
    return block._replace(operands=rng.choice(others)) if others else None


def block_copied(rng, shop):
    blocks = shop.level.blocks
    if not blocks:
        return None
    block = rng.choice(blocks)
    others = shop.twins(block.operands)
    if not others:
        return None
    copy = well_formed(shop, block._replace(operands=rng.choice(others)))
    return shop.level._replace(blocks=insert(blocks, rng.randint(0, len(blocks)), copy))


def block_made_up(rng, shop):
    operand_contexts = len(shop.level.operand_contexts)
    if not operand_contexts:
        return None
    operands = rng.randrange(operand_contexts)
    nodes = shop.plain(operands)
    picked = rng.sample(nodes, rng.randint(1, len(nodes)))
    exits = rng.getrandbits(8)
    entry = rng.choice([None, *picked])
    block = CertificateBlock(operands, rng.random() < 0.5, entry, exits, tuple(picked))
    blocks = shop.level.blocks
    place = rng.randint(0, len(blocks))
    return shop.level._replace(blocks=insert(blocks, place, well_formed(shop, block)))


def block_dropped(rng, shop):
    blocks = shop.level.blocks
    return shop.level._replace(blocks=drop(blocks, rng.randrange(len(blocks)))) if blocks else None


def blocks_swapped(rng, shop):
    blocks = swap(rng, shop.level.blocks)
    return blocks and shop.level._replace(blocks=blocks)


# --- instances ------------------------------------------------------------------------------------


def of_instances(change: Callable[[Random, Workshop, Instance, int], Instance | None]):
    def changed(rng: Random, shop: Workshop) -> ClaimLevel | None:
        instances = shop.level.instances
        if not instances:
            return None
        at = rng.randrange(len(instances))
        instance = change(rng, shop, instances[at], len(shop.of_instance(at).exits))
        if instance is None or instance == instances[at]:
            return None
        return shop.level._replace(instances=put(instances, at, instance))

    return changed


def mask_added(rng, shop, instance, exits):
    if not exits:
        return None
    bit = 1 << rng.randrange(exits)
    if rng.random() < 0.5:
        return instance._replace(true=instance.true | bit)
    return instance._replace(false=instance.false | bit)


def mask_dropped(rng, shop, instance, exits):
    if not exits:
        return None
    bit = 1 << rng.randrange(exits)
    return instance._replace(true=instance.true & ~bit, false=instance.false & ~bit)


def mask_moved(rng, shop, instance, exits):
    both = instance.true | instance.false
    there = [e for e in range(exits) if both >> e & 1]
    if not there:
        return None
    bit = 1 << rng.choice(there)
    swapped = (instance.true ^ bit, instance.false ^ bit)
    return instance._replace(true=swapped[0], false=swapped[1])


def root_changed(rng, shop, instance, exits):
    return instance._replace(root=not instance.root)


def instance_operands(rng, shop, instance, exits):
    others = shop.twins(instance.operands)
    if not others:
        return None
    operands = rng.choice(others)
    every = (1 << len(shop.of(operands).exits)) - 1
    return Instance(operands, instance.root, instance.true & every, instance.false & every)


def instances_swapped(rng, shop):
    instances = swap(rng, shop.level.instances)
    return instances and shop.level._replace(instances=instances)


# --- links ----------------------------------------------------------------------------------------


def instance_link_retargeted(rng, shop):
    """To another instance, of the same component if there is one. The operand contexts' link follows."""
    links, instances = shop.level.instance_links, shop.level.instances
    if not links or len(instances) < 2:
        return None
    at = rng.randrange(len(links))
    source, box, target = links[at]
    here = shop.of_instance(target)
    others = [each for each in range(len(instances)) if each != target]
    others = [each for each in others if shop.of_instance(each) is here] or others
    new = rng.choice(others)
    level = shop.level._replace(instance_links=put(links, at, Link(source, box, new)))
    if rng.random() < 0.7:
        pair = (instances[source].operands, box)
        level = level._replace(
            links=tuple(
                Link(*pair, instances[new].operands) if each[:2] == pair else each
                for each in level.links
            )
        )
    return level


def instance_link_dropped(rng, shop):
    links = shop.level.instance_links
    if not links:
        return None
    return shop.level._replace(instance_links=drop(links, rng.randrange(len(links))))


def instance_link_added(rng, shop):
    """Where the operand contexts are linked, or with a link for them."""
    instances, links = shop.level.instances, shop.level.instance_links
    free = [
        (source, box)
        for source in range(len(instances))
        for box in range(len(shop.of_instance(source).boxes))
        if not any(each[:2] == (source, box) for each in links)
    ]
    if not free:
        return None
    source, box = rng.choice(free)
    callee = shop.components[shop.of_instance(source).callees[box]]
    fitting = [at for at in range(len(instances)) if shop.of_instance(at) is callee]
    if not fitting:
        return None
    target = rng.choice(fitting)
    level = shop.level._replace(instance_links=(*links, Link(source, box, target)))
    pair = (instances[source].operands, box)
    if not any(each[:2] == pair for each in level.links):
        level = level._replace(links=(*level.links, Link(*pair, instances[target].operands)))
    return level


def link_retargeted(rng, shop):
    links = shop.level.links
    if not links:
        return None
    at = rng.randrange(len(links))
    others = shop.twins(links[at].target)
    if not others:
        return None
    return shop.level._replace(links=put(links, at, links[at]._replace(target=rng.choice(others))))


def link_dropped(rng, shop):
    links = shop.level.links
    return shop.level._replace(links=drop(links, rng.randrange(len(links)))) if links else None


def link_added(rng, shop):
    links, operand_contexts = shop.level.links, shop.level.operand_contexts
    free = [
        (source, box)
        for source in range(len(operand_contexts))
        for box in range(len(shop.of(source).boxes))
        if not any(each[:2] == (source, box) for each in links)
    ]
    if not free:
        return None
    source, box = rng.choice(free)
    callee = shop.of(source).callees[box]
    fitting = [at for at, each in enumerate(operand_contexts) if each.component == callee]
    if not fitting:
        return None
    return shop.level._replace(links=(*links, Link(source, box, rng.choice(fitting))))


# --- operand contexts and components ---------------------------------------------------------------------


def _other_lower(rng, below: list[ClaimLevel], operands: OperandContext) -> OperandContext | None:
    places = [at for at, level in enumerate(below) if level.instances]
    if not places:
        return None
    at = rng.choice(places)
    instances = below[at].instances
    fitting = [
        each
        for each, instance in enumerate(instances)
        if below[at].operand_contexts[instance.operands].component == operands.component
    ]
    choices = {None, *(fitting or range(len(instances)))} - {operands.lower[at]}
    if not choices:
        return None
    new = rng.choice(sorted(choices, key=lambda each: -1 if each is None else each))
    return operands._replace(lower=put(operands.lower, at, new))


def operands_lower(rng, shop):
    operand_contexts = shop.level.operand_contexts
    if not operand_contexts:
        return None
    at = rng.randrange(len(operand_contexts))
    new = _other_lower(rng, shop.below, operand_contexts[at])
    return new and shop.level._replace(operand_contexts=put(operand_contexts, at, new))


def operands_component(rng, shop):
    operand_contexts = shop.level.operand_contexts
    if not operand_contexts or len(shop.components) < 2:
        return None
    at = rng.randrange(len(operand_contexts))
    others = [c for c in range(len(shop.components)) if c != operand_contexts[at].component]
    new = operand_contexts[at]._replace(component=rng.choice(others))
    return _fitting(shop, shop.level._replace(operand_contexts=put(operand_contexts, at, new)))


def operand_contexts_swapped(rng, shop):
    operand_contexts = swap(rng, shop.level.operand_contexts)
    return operand_contexts and _fitting(
        shop, shop.level._replace(operand_contexts=operand_contexts)
    )


def _fitting(shop: Workshop, level: ClaimLevel) -> ClaimLevel:
    """What operand contexts of other components allow of blocks, masks and links."""
    shop.level = level

    def fits(source: int, box: int) -> bool:
        return box < len(shop.of(source).boxes)

    every = [(1 << len(shop.of(at).exits)) - 1 for at in range(len(level.operand_contexts))]
    return level._replace(
        blocks=tuple(well_formed(shop, block) for block in level.blocks),
        links=tuple(each for each in level.links if fits(each.source, each.box)),
        instances=tuple(
            Instance(a, root, true & every[a], false & every[a])
            for a, root, true, false in level.instances
        ),
        instance_links=tuple(
            each
            for each in level.instance_links
            if fits(level.instances[each.source].operands, each.box)
        ),
    )


def relevant_removed(rng, shop):
    relevant = shop.level.relevant
    if relevant is None:
        relevant = tuple(range(len(shop.components)))
    return (
        shop.level._replace(relevant=drop(relevant, rng.randrange(len(relevant))))
        if relevant
        else None
    )


def all_irrelevant(rng, shop):
    return None if shop.level.relevant == () else shop.level._replace(relevant=())


def relevant_added(rng, shop):
    if shop.level.relevant is None:
        return None
    irrelevant = [c for c in range(len(shop.components)) if c not in shop.level.relevant]
    if not irrelevant:
        return None
    return shop.level._replace(
        relevant=tuple(sorted((*shop.level.relevant, rng.choice(irrelevant))))
    )


# --- the whole certificate ------------------------------------------------------------------------


def _declared(judge: Judge) -> list[int]:
    core = judge.model.core
    return [node for node in range(core.nodes) if core.box(node) < 0]


def initial_replaced(rng, judge, proof):
    new = rng.choice(_declared(judge))
    return proof._replace(initial=put(proof.initial, rng.randrange(len(proof.initial)), new))


def initial_added(rng, judge, proof):
    return proof._replace(initial=(*proof.initial, rng.choice(_declared(judge))))


def initial_dropped(rng, judge, proof):
    if len(proof.initial) < 2:
        return None
    return proof._replace(initial=drop(proof.initial, rng.randrange(len(proof.initial))))


def top_lower(rng, judge, proof):
    if not proof.top:
        return None
    below = [proof.levels[child] for child in judge.shape[-1][1]]
    at = rng.randrange(len(proof.top))
    new = _other_lower(rng, below, proof.top[at])
    return new and proof._replace(top=put(proof.top, at, new))


def top_component(rng, judge, proof):
    free = set(range(len(judge.components))) - {each.component for each in proof.top}
    if not proof.top or not free:
        return None
    at = rng.randrange(len(proof.top))
    new = proof.top[at]._replace(component=rng.choice(sorted(free)))
    return proof._replace(top=put(proof.top, at, new))


OF_BLOCKS = {
    "node added": of_blocks(node_added),
    "all nodes added": of_blocks(all_nodes_added),
    "walk added": of_blocks(walk_added),
    "node dropped": of_blocks(node_dropped),
    "nodes swapped": of_blocks(nodes_swapped),
    "nodes reversed": of_blocks(nodes_reversed),
    "node moved": of_blocks(node_moved),
    "exit added": of_blocks(exit_added),
    "exit dropped": of_blocks(exit_dropped),
    "exit replaced": of_blocks(exit_replaced),
    "entry changed": of_blocks(entry_changed),
    "side changed": of_blocks(side_changed),
    "block's operand context changed": of_blocks(operands_changed),
    "block copied": block_copied,
    "block made up": block_made_up,
    "block dropped": block_dropped,
    "blocks swapped": blocks_swapped,
    "link retargeted": link_retargeted,
    "link dropped": link_dropped,
    "link added": link_added,
    "operand context's component changed": operands_component,
    "operand contexts swapped": operand_contexts_swapped,
}
OF_LEVELS = {
    **OF_BLOCKS,
    "mask added": of_instances(mask_added),
    "mask dropped": of_instances(mask_dropped),
    "mask moved": of_instances(mask_moved),
    "root changed": of_instances(root_changed),
    "instance's operand context changed": of_instances(instance_operands),
    "instances swapped": instances_swapped,
    "instance link retargeted": instance_link_retargeted,
    "instance link dropped": instance_link_dropped,
    "instance link added": instance_link_added,
    "lower instance changed": operands_lower,
    "relevant removed": relevant_removed,
    "relevant added": relevant_added,
    "all irrelevant": all_irrelevant,
}
OF_PROOFS = {
    "initial replaced": initial_replaced,
    "initial added": initial_added,
    "initial dropped": initial_dropped,
    "top's lower instance changed": top_lower,
    "top's component changed": top_component,
}
LEMMA = "lemma: "
ADDITIONS = {
    "node added", "all nodes added", "walk added", "block copied", "block made up", "mask added",
    "initial added", *(LEMMA + kind for kind in OF_BLOCKS if "added" in kind or kind in ("block copied", "block made up")),
}  # fmt: skip
"""Changes that only claim more, and leave what was claimed as it was."""
KINDS = [*OF_LEVELS, *OF_PROOFS, *(LEMMA + kind for kind in OF_BLOCKS)]


def change(rng: Random, judge: Judge, proof: Proof, kind: str) -> Proof | None:
    """A changed certificate, or None where a change of this kind is impossible."""
    if kind in OF_PROOFS:
        return OF_PROOFS[kind](rng, judge, proof)
    of_lemmas = kind.startswith(LEMMA)
    count = len(proof.lemmas if of_lemmas else proof.levels)
    if count == 0:
        return None
    number = rng.randrange(count) - (count if of_lemmas else 0)
    return change_level(rng, judge, proof, number, kind.removeprefix(LEMMA))


def change_level(rng, judge, proof: Proof, number: int, kind: str) -> Proof | None:
    """The same at a given level. Those of lemmas have negative numbers."""
    shop = Workshop(judge, proof, number)
    if not shop.below and kind == "lower instance changed":
        return None
    if shop.op == EX and (kind in BLOCKS_ONLY or "relevant" in kind):
        return None  # EX has neither
    level = OF_LEVELS[kind](rng, shop)
    if level is None:
        return None
    if number < 0:
        return proof._replace(lemmas=put(proof.lemmas, len(proof.lemmas) + number, level))
    return proof._replace(levels=put(proof.levels, number, level))


BLOCKS_ONLY = {kind for kind in OF_BLOCKS if "block" in kind or "node" in kind}
