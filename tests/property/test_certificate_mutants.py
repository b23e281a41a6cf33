"""No false certificate is accepted.

Certificates of random machines are changed: one to three random changes each (tests/mutations.py),
then repairs of what the checkers complain about, again and again. Or the model is changed, or the
formula, and the certificate kept, or repaired too. The oracle decides what has become false: a
claim about some stack (tests/claims.py), or the verdict. Only mutants with something false count,
and malformed ones never do: it is the rules that have to reject them. None may be accepted, all
checkers must say the same, and what is accepted must have the right verdict.

PIGRO_CERT_MUTANTS mutants with a false claim are looked for.
"""

import os
from collections import Counter
from random import Random

from agreement import as_model
from checkers import CHECKERS, ENGINES, MALFORMED, certified
from claims import Judge
from mutations import KINDS, change, repair
from oracle import mutate
from oracle.formula import to_text
from oracle.generate import random_case
from sections import formula_bytes, lemma_bytes, read_proof, shape_of

MUTANTS = int(os.environ.get("PIGRO_CERT_MUTANTS", "1500"))
FIRST = int(os.environ.get("PIGRO_CERT_SEED", "0"))
OF_EACH = 24
"""Mutants of each certificate, before repairs."""
OF_MODEL = 10
REPAIRS = 4
LARGEST = 60
"""Machines with more nodes are left to other tests."""
HARMLESS = {
    "node dropped", "nodes swapped", "nodes reversed", "node moved", "entry changed", "block dropped",
    "blocks swapped", "mask dropped", "instance link dropped", "link dropped", "hot added",
}  # fmt: skip
"""Changes that make no claim false by themselves, only together with others."""
FORMULA = "formula: label changed"
MODEL = "model: "


class Tally:
    """What came of all mutants."""

    def __init__(self):
        self.false = Counter()
        """Mutants with something false, by what that is."""
        self.kinds, self.alone, self.rules = Counter(), Counter(), Counter()
        self.accepted = self.malformed = self.rejected = 0

    @property
    def total(self):
        return sum(self.false.values())

    def __str__(self):
        rows = [
            f"{self.total} false, {self.rejected} rejected without being shown false, "
            f"{self.accepted} accepted (harmless), {self.malformed} malformed",
            f"false: {dict(self.false.most_common())}",
            f"by rule: {dict(sorted(self.rules.items()))}",
            *(f"{kind}: {n}, alone {self.alone[kind]}" for kind, n in self.kinds.most_common()),
        ]
        return "\n".join(rows)


class Attack:
    """On one certificate."""

    def __init__(self, seed, tally):
        self.rng, self.tally, self.seed = Random(seed), tally, seed
        self.case = random_case(seed)
        self.seen = set()

    def run(self):
        machine, text = self.case.machine, to_text(self.case.formula)
        if sum(len(part.nodes) for part in machine.components) > LARGEST:
            return
        model = as_model(machine)
        self.engine = self.rng.choice(list(ENGINES))
        [(_, lemmas, body)] = certified(model, [text], self.engine)
        proof = read_proof(lemmas, text, body)
        judge = Judge(machine, model, text)
        self.truths = judge.claims(proof)
        false = [claim for claim in sorted(self.truths) if judge.is_false(claim)]
        assert not false, f"case {self.seed}, {self.engine}: {false}"
        for _ in range(OF_EACH):
            self.mutate(judge, proof)
        for _ in range(OF_MODEL):
            self.mutate_model(proof)
        self.mutate_formula(proof, model)

    def look(self, judge, proof, kinds, *, new_model=False):
        """What the checkers say of a mutant, who all say the same; counts it if it is false."""
        lemmas, body = lemma_bytes(proof), formula_bytes(proof)
        told = {
            name: check(judge.model, proof.formula, lemmas, body)
            for name, check in CHECKERS.items()
        }
        where = f"case {self.seed}, {self.engine}, {kinds}: {told}"
        assert len(set(told.values())) == 1, f"checkers disagree: {where}"
        problem = told["native"]
        if problem == MALFORMED:
            self.tally.malformed += 1
            return None
        false = self.falsity(judge, proof, new_model=new_model)
        assert problem is not None or not false, (
            f"A FALSE CERTIFICATE IS ACCEPTED: {where}, {false}\n{proof}"
        )
        if problem is None:
            self.tally.accepted += 1
            assert not judge.is_wrong(proof), f"A WRONG VERDICT IS ACCEPTED: {where}\n{proof}"
        elif not false:
            self.tally.rejected += 1
        elif (judge, lemmas, body) not in self.seen:
            self.seen.add((judge, lemmas, body))
            self.tally.false[false] += 1
            self.tally.rules[problem[:2]] += 1
            self.tally.kinds.update(set(kinds))
            if len(kinds) == 1:
                self.tally.alone[kinds[0]] += 1
        return problem

    def falsity(self, judge, proof, *, new_model):
        """What is false; of a changed model or formula, only the verdict is looked at."""
        if not new_model:
            for claim in sorted(judge.claims(proof) - self.truths):
                if judge.is_false(claim):
                    return claim.kind
        return "verdict" if judge.is_wrong(proof) else None

    def mutate(self, judge, proof):
        kinds = []
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            kind = self.rng.choice(KINDS)
            new = change(self.rng, judge, proof, kind)
            if new is not None:
                proof = new
                kinds.append(kind)
        if kinds:
            self.repair(judge, proof, kinds, self.look(judge, proof, kinds))

    def repair(self, judge, proof, kinds, problem, *, new_model=False):
        """An adversary at work; what becomes of it counts if it is false in the end."""
        steps = 0
        for _ in range(REPAIRS):
            if problem in (None, MALFORMED):
                return
            new = repair(self.rng, judge, proof, problem)
            if new is not None:
                proof, steps = new, steps + 1
                lemmas, body = lemma_bytes(proof), formula_bytes(proof)
                problem = CHECKERS["native"](judge.model, proof.formula, lemmas, body)
        if steps:
            self.look(judge, proof, [*kinds, "repaired"], new_model=new_model)

    def mutate_model(self, proof):
        machine, kinds = self.case.machine, []
        for _ in range(self.rng.choice((1, 1, 2))):
            kind = self.rng.choice(mutate.KINDS)
            new = mutate.mutate(self.rng, machine, kind)
            if new is not None:
                machine = new
                kinds.append(MODEL + kind)
        if kinds:
            judge = Judge(machine, as_model(machine), proof.formula)
            self.follow(judge, proof, kinds)

    def mutate_formula(self, proof, model):
        text = to_text(mutate.other_label(self.rng, self.case.formula))
        if text != proof.formula and shape_of(text) == shape_of(proof.formula):
            judge = Judge(self.case.machine, model, text)
            self.follow(judge, proof._replace(formula=text), [FORMULA])

    def follow(self, judge, proof, kinds):
        """Another question: the old certificate, and one repaired to fit."""
        problem = self.look(judge, proof, kinds, new_model=True)
        if problem not in (None, MALFORMED) and judge.is_wrong(proof):
            for _ in range(3):
                self.repair(judge, proof, kinds, problem, new_model=True)


def test_no_false_certificate_is_accepted():
    tally = Tally()
    seed = FIRST
    while tally.total < MUTANTS:
        Attack(seed, tally).run()
        seed += 1
    print(f"cases {FIRST} to {seed - 1}, checkers {', '.join(CHECKERS)}")
    print(tally)
    if MUTANTS >= 1500:
        every = {*KINDS, *(MODEL + kind for kind in mutate.KINDS), FORMULA}
        assert {kind for kind in every if not tally.kinds[kind]} == set()
