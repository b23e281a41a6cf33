"""Every verdict has evidence, which replays, and no wrong evidence does.

Evidence for PIGRO_EVIDENCE_CASES random machines of all profiles of the oracle's generator, with
some formulas each, is made and replayed.

Then evidence is changed: one to three changes each. A slow judge (tests/support/judges/evidence.py), who
knows the oracle and no certificates, decides whether it is still right. At least
PIGRO_EVIDENCE_MUTANTS wrong ones are made, and none may be accepted. PIGRO_EVIDENCE_SEED gives
other cases.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.evidence.replaying import WrongEvidence, replay
from pigro.evidence.states import Evidence, Path, State, Steps
from pigro.evidence.tree.following import CertificateFollower, Explainer, evidence_for
from pigro.evidence.tree.proved import open_certificate
from pigro.logic import existential_normal_form, parse
from pigro.logic.normal import AND, ATOM, EG, EU, EX, NOT

from oracle.formula import to_text
from oracle.generate import PROFILES, random_case, random_formula
from support.agreement.ctl import FORMULAS, as_model
from support.judges.evidence import EvidenceJudge
from support.selection.cases import FEW_CASES, first_seed, number_of_cases

CASES = number_of_cases("PIGRO_EVIDENCE_CASES", 1200)
MUTANTS = number_of_cases("PIGRO_EVIDENCE_MUTANTS", 6000)
FIRST = first_seed("PIGRO_EVIDENCE_SEED")
OF_EACH = 30
"""Mutants of the evidence for each verdict."""
LARGEST = 40
"""Machines with more nodes are too slow for the judge."""
ENDS = ("here", "loop", "pump", "stays")
ITEM_KINDS = ("label", "boolean", "path", "claim")
ENGINE = replace(DEMAND, certify=True)
KNOWING = replace(EXHAUSTIVE, certify=True)
"""Its certificates say more, so that less is rejected only for want of proof."""


def all_of(evidence):
    """The evidence, and all that hangs off it, with where: numbers of parts, from the root."""
    found = [((), evidence)]
    for where, at in found:  # grows
        found += [((*where, number), part) for number, part in enumerate(at.parts)]
    return found


# --- all evidence replays ---------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_every_verdict_has_evidence_that_replays(profile):
    faults, count, ends = faults_of(profile, CASES // len(PROFILES))
    print(f"{profile}: evidence for {count} verdicts, {len(faults)} faults; paths: {dict(ends)}")
    assert faults == []


def test_paths_end_in_all_ways():
    _, _, ends = faults_of("recursive", 50)
    assert FEW_CASES or all(ends[end] for end in ENDS), ends


def faults_of(profile, cases):
    """The faults of the evidence in some cases, for how many verdicts, and how paths end."""
    faults, count, ends = [], 0, Counter()
    for seed in range(FIRST, FIRST + cases):
        case = random_case(seed, profile)
        rng = Random(seed)
        formulas = [case.formula, *(random_formula(rng) for _ in range(FORMULAS - 1))]
        model = as_model(case.machine)
        for text in map(to_text, formulas):
            try:
                ends.update(ends_of_evidence(model, text))
            except Exception as error:  # noqa: BLE001 - all are told
                faults.append(f"case {seed} ({profile}), {text}: {type(error).__name__}: {error}")
            count += 1
    return faults, count, ends


def ends_of_evidence(model, text):
    """Makes evidence and replays it. Returns how its paths end."""
    verdict = ENGINE(model, parse(text))
    data = verdict.certificate.to_bytes()
    evidence = evidence_for(model, data)
    form = existential_normal_form(parse(text))
    op = form.ops[-1]
    if op >= EX and verdict.holds:  # some run does it
        assert evidence.kind == "path", "no path at the root"
    if op == NOT and form.ops[form.left[-1]] >= EX and not verdict.holds:  # not all runs do it
        assert [part.kind for part in evidence.parts] == ["path"], "no path below the root"
    assert evidence.truth is verdict.holds, "evidence for another verdict"
    replay(model, data, evidence)
    return [at.path.ends for _, at in all_of(evidence) if at.path is not None]


# --- no wrong evidence does -------------------------------------------------------------------------


def test_no_wrong_evidence_is_accepted():
    tally = Tally()
    seed = FIRST
    while tally.wrong < MUTANTS:
        Attack(seed, tally).run()
        seed += 1
    print(f"cases {FIRST} to {seed - 1}")
    print(tally)
    assert not tally.accepted, "\n".join(tally.accepted[:10])
    assert not tally.crashes, "\n".join(tally.crashes[:10])
    missing = [kind for kind in MUTATIONS if not tally.kinds[kind]]
    assert MUTANTS < 1000 or not missing, missing


class Tally:
    def __init__(self):
        self.wrong = 0
        self.kinds, self.alone, self.reasons = Counter(), Counter(), Counter()
        self.other, self.said = Counter(), Counter()
        self.accepted, self.crashes = [], []

    def __str__(self):
        return "\n".join(
            [
                f"{self.wrong} wrong by the judge, {len(self.accepted)} accepted; {dict(self.other)}",
                f"what is wrong: {dict(self.reasons.most_common())}",
                f"what replay says: {dict(self.said.most_common())}",
                *(
                    f"  {kind}: {n}, alone {self.alone[kind]}"
                    for kind, n in self.kinds.most_common()
                ),
            ]
        )


class Attack:
    """On the evidence for one verdict."""

    def __init__(self, seed, tally):
        self.seed, self.tally, self.rng = seed, tally, Random(seed)

    def run(self):
        case = random_case(self.seed)
        if sum(len(part.nodes) for part in case.machine.components) > LARGEST:
            return
        text, model = to_text(case.formula), as_model(case.machine)
        engine = self.rng.choice((ENGINE, KNOWING))
        data = engine(model, parse(text)).certificate.to_bytes()
        evidence = evidence_for(model, data)
        judge = EvidenceJudge(case.machine, model, existential_normal_form(parse(text)))
        where = f"case {self.seed}, {engine.name}, {text}"
        assert judge.wrong(evidence) is None, f"{where}: {judge.wrong(evidence)}: {evidence}"
        change = Change(self.rng, model, data, evidence)
        seen = {evidence}
        for _ in range(OF_EACH):
            mutant, kinds = evidence, []
            for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
                weights = [1 / (5 + self.tally.kinds[kind]) for kind in MUTATIONS]
                kind = self.rng.choices(list(MUTATIONS), weights)[0]
                changed = change.anywhere(mutant, MUTATIONS[kind])
                if changed is not None:
                    mutant = changed
                    kinds.append(kind)
            if mutant not in seen:
                seen.add(mutant)
                self.look(judge, model, data, mutant, kinds, where)

    def look(self, judge, model, data, mutant, kinds, where):
        tally = self.tally
        wrong = judge.wrong(mutant)
        try:
            replay(model, data, mutant)
            said = None
        except WrongEvidence as error:
            said = str(error)
        except Exception as error:  # noqa: BLE001 - all are told
            said = f"{type(error).__name__}: {error}"
            tally.crashes.append(f"{where}, {kinds}: {said}: {mutant}")
        if wrong is None:
            tally.other["right, accepted" if said is None else f"right, but: {said}"] += 1
            return
        tally.wrong += 1
        tally.reasons[wrong] += 1
        tally.kinds.update(set(kinds))
        tally.said[said] += 1
        if len(kinds) == 1:
            tally.alone[kinds[0]] += 1
        if said is None:
            tally.accepted.append(f"{where}, {kinds}, {wrong}: {mutant}")


def in_order(state):
    """So that every run takes the same states."""
    return tuple(state.stack), state.node


class Change:
    """Changes of evidence. Each takes a part of the tree, and gives another one. None: not here."""

    def __init__(self, rng, model, data, evidence):
        self.rng, self.model = rng, model
        self.proved = open_certificate(model, data)
        self.data = data
        self.steps = Steps(model)
        self.form = self.proved.form
        self.known = [at for _, at in all_of(evidence)]
        self.states = {at.state for at in self.known}
        for at in self.known:
            self.states |= set(at.path.states if at.path else ())
        for state in sorted(self.states, key=in_order):
            self.states |= set(self.steps.maximal_next(state))
        self.states = sorted(self.states, key=in_order)

    def anywhere(self, evidence, mutation):
        """With one part of the tree changed. None if the change is possible nowhere."""
        places = all_of(evidence)
        self.rng.shuffle(places)
        if self.rng.random() < 0.7:  # the root is too easy
            places.sort(key=lambda each: not each[0])
        for where, at in places:
            changed = mutation(self, at)
            if changed is not None and changed != at:
                return put(evidence, where, changed)
        return None

    # --- paths

    def with_states(self, at, states):
        """Without contexts, so that the states have to be found wrong."""
        return replace(at, path=replace(at.path, states=tuple(states)), contexts=())

    def repaired(self, at):
        """With evidence for the goal at the end of a path, if the certificate proves it."""
        op = self.form.ops[at.part]
        if op not in (EX, EU) or self.rng.random() < 0.3:
            return at
        goal = self.form.right[at.part] if op == EU else self.form.left[at.part]
        state = at.path.states[-1]
        if self.exists(state) and self.proved.value(goal, state):
            return replace(at, parts=(self.explain(goal, state),))
        moved = [replace(part, state=state) for part in at.parts]  # an adversary just says so
        return replace(at, parts=tuple(moved))

    def explain(self, part, state):
        """Evidence for what the certificate proves in a state."""
        with CertificateFollower.of_file(self.model, self.data) as follower:
            return Explainer(follower).explain(part, state)

    def exists(self, state):
        """Whether it is a state at all."""
        core = self.model.core
        if not all(0 <= box < core.boxes for box in state.stack):
            return False
        if not 0 <= state.node < core.nodes or core.kind(state.node).name == "CALL":
            return False
        ends = [core.callee(box) for box in state.stack]
        begins = [core.box_component(box) for box in state.stack]
        return [*begins[1:], core.component(state.node)][: len(ends)] == ends

    def drop_step(self, at):
        if at.path is None or len(at.path.states) < 2:
            return None
        states = list(at.path.states)
        del states[self.rng.randrange(len(states))]
        return self.repaired(self.with_states(at, states))

    def double_step(self, at):
        if at.path is None or not at.path.states:
            return None
        states = list(at.path.states)
        place = self.rng.randrange(len(states))
        return self.with_states(at, [*states[: place + 1], *states[place:]])

    def swap_states(self, at):
        if at.path is None or len(at.path.states) < 2:
            return None
        states = list(at.path.states)
        one, other = self.rng.sample(range(len(states)), 2)
        states[one], states[other] = states[other], states[one]
        return self.repaired(self.with_states(at, states))

    def other_state(self, at, change):
        """A state is another one: on the path, or of the part of the tree, or of all of it."""
        if at.path is None or not at.path.states or self.rng.random() < 0.2:
            state = change(at.state)
            if state is None:
                return None
            parts = at.parts
            if at.kind == "boolean":
                parts = tuple([replace(part, state=state) for part in parts])
            return replace(at, state=state, parts=parts)
        states = list(at.path.states)
        place = self.rng.randrange(len(states))
        state = change(states[place])
        if state is None:
            return None
        if self.rng.random() < 0.3:  # wherever it is on the path
            states = [state if each == states[place] else each for each in states]
        else:
            states[place] = state
        return self.repaired(self.with_states(at, states))

    def change_context(self, at):
        if not at.contexts:
            return None
        rows = list(at.contexts)
        number = self.rng.randrange(len(rows))
        part, told = rows[number]
        place = self.rng.randrange(len(told))
        state, node, truth = told[place]
        other = self.rng.choice(
            [
                (state, node, not truth),
                (self.rng.randrange(len(at.path.states)), node, truth),
                (state, self.rng.randrange(self.model.core.nodes), truth),
            ]
        )
        rows[number] = part, (*told[:place], other, *told[place + 1 :])
        return replace(at, contexts=tuple(rows))

    def any_box(self):
        boxes = self.model.core.boxes
        return self.rng.randrange(boxes) if boxes else None

    def change_box(self, at):
        def change(state):
            if not state.stack:
                return None
            stack = list(state.stack)
            stack[self.rng.randrange(len(stack))] = self.any_box()
            return State(stack, state.node)

        return self.other_state(at, change)

    def drop_box(self, at):
        def change(state):
            if not state.stack:
                return None
            place = self.rng.randrange(len(state.stack))
            stack = tuple(state.stack)
            return State(stack[:place] + stack[place + 1 :], state.node)

        return self.other_state(at, change)

    def add_box(self, at):
        def change(state):
            box, place = self.any_box(), self.rng.randint(0, len(state.stack))
            if box is None:
                return None
            stack = tuple(state.stack)
            return State((*stack[:place], box, *stack[place:]), state.node)

        return self.other_state(at, change)

    def change_node(self, at):
        def change(state):
            core = self.model.core
            near = core.nodes_of(core.component(state.node)) if 0 <= state.node < core.nodes else []
            far = range(-1, core.nodes + 1)
            some = near if near and self.rng.random() < 0.7 else far
            return state._replace(node=self.rng.choice(some))

        return self.other_state(at, change)

    def change_start(self, at):
        if at.path is None or at.path.start is None:
            return None
        start = self.rng.randint(-1, len(at.path.states))
        return replace(at, path=replace(at.path, start=start))

    def change_end(self, at):
        if at.path is None:
            return None
        ends = self.rng.choice([each for each in ENDS if each != at.path.ends])
        start = at.path.start
        if ends in {"loop", "pump"} and start is None:
            start = self.rng.randrange(len(at.path.states)) if at.path.states else 0
        elif self.rng.random() < 0.8 and ends not in {"loop", "pump"}:
            start = None
        return replace(at, path=Path(at.path.states, ends, start))

    def change_path(self, at):
        """The path of another formula, or of this one in another state."""
        others = [each for each in self.known if each.path is not None]
        if at.path is None or not others:
            return None
        other = self.rng.choice(others)
        if self.rng.random() < 0.5:
            return replace(at, path=other.path)
        return replace(at, path=other.path, parts=other.parts)

    def walk(self, at):
        """Another path, of true steps: so it is what is true on it that matters."""
        if at.path is None or not self.exists(at.state):
            return None
        op, states = self.form.ops[at.part], [at.state]
        limit = 1 if op == EX else self.rng.randint(0, 12)
        while len(states) <= limit:
            if op == EG:
                closed = self.closed(states)
                if closed and self.rng.random() < 0.7:
                    return replace(at, path=self.rng.choice(closed), parts=())
            after = self.steps.maximal_next(states[-1])
            if not after:
                break
            states.append(self.rng.choice(after))
        return self.repaired(replace(at, path=Path(tuple(states), at.path.ends, at.path.start)))

    def closed(self, states):
        """Ends of a path that goes on without end. Some only seem to."""
        after, last = self.steps.next(states[-1]), states[-1]
        found = [Path(tuple(states), "loop", n) for n, each in enumerate(states) if each in after]
        if after in ([], [last]):
            found.append(Path(tuple(states), "stays"))
        for start, first in enumerate(states):
            base = first.stack
            fine = first.node == last.node and len(last.stack) > len(base)
            lowest = [tuple(each.stack)[: len(base)] for each in states[start:]]
            returns = any(each != tuple(base) for each in lowest)
            if fine and (not returns or self.rng.random() < 0.3):
                found.append(Path(tuple(states), "pump", start))
        return found

    # --- the tree

    def lie(self, at):
        """Evidence that looks right, for the same claim, whatever is true."""
        if not self.exists(at.state):
            return None
        return self.lying(at.part, at.state, truth=at.truth)

    def lying(self, part, state, *, truth):
        op = self.form.ops[part]
        if op <= ATOM:
            return Evidence(part, truth, state, "label")
        if op < EX:
            told = self.decisive(part, truth=truth)
            parts = [self.lying(leaf, state, truth=said) for leaf, said in sorted(told.items())]
            return Evidence(part, truth, state, "boolean", parts=tuple(parts))
        if not truth:
            return Evidence(part, truth, state, "claim")
        at = Evidence(part, truth, state, "path", Path((state,)))
        at = self.walk(at) or at
        if op == EG:
            return at
        goal = self.form.right[part] if op == EU else self.form.left[part]
        return replace(at, parts=(self.lying(goal, at.path.states[-1], truth=True),))

    def decisive(self, part, *, truth):
        """Values of the operands of a boolean that decide it."""
        op, left, right = self.form.ops[part], self.form.left[part], self.form.right[part]
        if not ATOM < op < EX:
            return {part: truth}
        if op == NOT:
            return self.decisive(left, truth=not truth)
        if truth is (op == AND):
            return self.decisive(left, truth=truth) | self.decisive(right, truth=truth)
        return self.decisive(self.rng.choice((left, right)), truth=truth)

    def flip_truth(self, at):
        return replace(at, truth=not at.truth)

    def change_part(self, at):
        return replace(at, part=self.rng.randrange(len(self.form)))

    def change_kind(self, at):
        """Such as a claim instead of a path, that nothing is to be shown for."""
        kind = self.rng.choice([each for each in ITEM_KINDS if each != at.kind])
        if kind in {"label", "claim"} and self.rng.random() < 0.7:
            truth = at.truth if kind == "label" else False
            return Evidence(at.part, truth, at.state, kind)
        return replace(at, kind=kind)

    def drop_evidence(self, at):
        if not at.parts:
            return None
        place = self.rng.randrange(len(at.parts))
        return replace(at, parts=at.parts[:place] + at.parts[place + 1 :])

    def explained(self, part, state):
        if self.proved.value(part, state) is None:
            return None
        return self.explain(part, state)

    def evidence_elsewhere(self, at):
        """Right evidence for another state, or for this one, but said of another."""
        state = self.rng.choice(self.states)
        if self.rng.random() < 0.5:
            return replace(at, state=state)
        return self.explained(at.part, state)

    def evidence_of_other(self, at):
        """Right evidence for another subformula, or for this one, but said of another."""
        if not self.exists(at.state):
            return None
        other = self.explained(self.rng.randrange(len(self.form)), at.state)
        if other is None or self.rng.random() < 0.5:
            return other
        return replace(other, part=at.part, truth=at.truth)


def put(evidence, where, new):
    """With another part in a place of the tree."""
    if not where:
        return new
    parts = list(evidence.parts)
    parts[where[0]] = put(parts[where[0]], where[1:], new)
    return replace(evidence, parts=tuple(parts))


MUTATIONS = {
    "a step dropped": Change.drop_step,
    "a step doubled": Change.double_step,
    "two states swapped": Change.swap_states,
    "a box changed": Change.change_box,
    "a box dropped": Change.drop_box,
    "a box added": Change.add_box,
    "a node changed": Change.change_node,
    "another start of a loop": Change.change_start,
    "another end": Change.change_end,
    "another context": Change.change_context,
    "the path of another formula": Change.change_path,
    "another walk": Change.walk,
    "a lie": Change.lie,
    "truth flipped": Change.flip_truth,
    "another subformula": Change.change_part,
    "another kind": Change.change_kind,
    "evidence dropped": Change.drop_evidence,
    "evidence of another state": Change.evidence_elsewhere,
    "evidence of another subformula": Change.evidence_of_other,
}
