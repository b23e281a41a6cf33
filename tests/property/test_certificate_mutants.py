"""No false certificate is accepted.

Certificates of random machines are changed: one to three random changes each (tests/support/certificates/mutations.py),
then what the checkers complain about is repaired, again and again (tests/support/certificates/repairs.py). Or the model is changed, or the
formula, and the certificate kept, or repaired too. The oracle decides what has become false: a
claim about some stack (tests/support/judges/claims.py), or the verdict. Only mutants with something false count,
and malformed ones never do: it is the rules that have to reject them. None may be accepted, all
checkers must say the same, and accepted certificates must have the right verdict.

At least PIGRO_CERT_MUTANTS mutants with something false are made. PIGRO_CERT_SEED gives others.
"""

from collections import Counter
from random import Random
from typing import NamedTuple

from oracle import mutate
from oracle.formula import Formula, to_text
from oracle.generate import PROFILES, RARE, random_case, random_machine
from oracle.machine import Machine
from support.agreement.ctl import as_model
from support.certificates.checkers import CHECKERS, ENGINES, MALFORMED, Section, answers, certified
from support.certificates.mutations import ADDITIONS, KINDS, LEMMA, change
from support.certificates.repairs import repair
from support.certificates.sections import formula_bytes, lemma_bytes, read_proof, shape_of
from support.judges.claims import Judge
from support.selection.cases import first_seed, number_of_cases

MUTANTS = number_of_cases("PIGRO_CERT_MUTANTS", 1000)
CERTIFICATES = number_of_cases("PIGRO_CERT_CLAIMS", 100)
FIRST = first_seed("PIGRO_CERT_SEED")
OF_EACH = 40
"""Mutants of each certificate, before repairs."""
MODELS = 16
"""Changed models for each."""
REPAIRS = 4
"""Steps of the adversary."""
LARGEST = 40
"""Machines with more nodes are left to other tests."""
FORMULA = "formula: label changed"
MODEL = "model: "
OF_MODEL = [MODEL + kind for kind in mutate.KINDS]


def test_no_false_certificate_is_accepted():
    tally = Tally()
    seed = FIRST
    while tally.total < MUTANTS:
        Attack(seed, tally).run()
        seed += 1
    print(f"cases {FIRST} to {seed - 1}, checkers: {', '.join(CHECKERS)}")
    print(tally)
    missing = [kind for kind in [*KINDS, *OF_MODEL, FORMULA] if not tally.kinds[kind]]
    assert MUTANTS < 1000 or all(kind.startswith(LEMMA) for kind in missing), missing
    assert MUTANTS < 5000 or not missing, missing  # lemmas are rare


def test_no_claim_of_a_certificate_is_false():
    """Else mutants would count that are none."""
    claims = 0
    for seed in range(FIRST, FIRST + CERTIFICATES):
        case = find_case(Random(seed), seed)
        if case is None:
            continue
        judge = Judge(case.machine, as_model(case.machine), case.section.formula)
        proof = proof_of(case)
        made = judge.claims(proof)
        claims += len(made)
        false = [claim for claim in sorted(made) if judge.is_false(claim)]
        assert not false, f"case {seed}, {case.engine}: {false}"
        assert not judge.is_wrong(proof), f"case {seed}, {case.engine}"
    print(f"{CERTIFICATES} certificates, {claims} claims, none false")


class Tally:
    """What came of all mutants."""

    def __init__(self):
        self.false = Counter()
        """Mutants with something false, by what that is."""
        self.rules, self.kinds, self.alone = Counter(), Counter(), Counter()
        self.other = Counter()
        self.merely_added = 0

    @property
    def total(self):
        """All but those in which only a link is false: that is not for the oracle to say."""
        return sum(self.false.values()) - self.false["link"]

    def __str__(self):
        rows = [
            f"{self.total} mutants false by the oracle, none accepted; "
            f"{self.merely_added} of them only add claims; others: {dict(self.other)}",
            f"what is false: {dict(self.false.most_common())}",
            f"rejected by: {dict(sorted(self.rules.items()))}",
            *(f"  {kind}: {n}, alone {self.alone[kind]}" for kind, n in self.kinds.most_common()),
        ]
        return "\n".join(rows)


class Case(NamedTuple):
    machine: Machine
    formula: Formula
    section: Section
    engine: str


RARELY: Formula = ("atom", RARE)
NEVER: Formula = ("EG", ("not", RARELY))
ABOUT_COLD: list[Formula] = [
    ("AG", ("EF", RARELY)),
    ("EX", ("EF", RARELY)),
    ("EU", ("not", RARELY), NEVER),
    ("AF", ("AG", ("not", RARELY))),
    ("EF", NEVER),
    ("AG", ("EX", ("AF", RARELY))),
]


def case_with_lemmas(rng):
    """Lemmas are rare: a label on one node, and formulas about it."""
    changes = {"label": 0.03, "exits": (1, 3), "missing_return": 0.05, "boxes": (1, 3), "call": 0.6}
    while True:
        machine = random_machine(rng, PROFILES["sparse"], **changes)
        formula = rng.choice(ABOUT_COLD)
        engine = rng.choice(list(ENGINES))
        [section] = certified(as_model(machine), [to_text(formula)], engine)
        if section.lemmas:
            return Case(machine, formula, section, engine)


def any_case(rng, seed):
    found = random_case(seed)
    engine = rng.choice(list(ENGINES))
    [section] = certified(as_model(found.machine), [to_text(found.formula)], engine)
    return Case(found.machine, found.formula, section, engine)


def find_case(rng, seed):
    """None if it is too large, or there is no certificate: test_certificates.py does not bear that."""
    try:
        case = case_with_lemmas(rng) if seed % 4 == 0 else any_case(rng, seed)
    except RuntimeError:
        return None
    small = sum(len(part.nodes) for part in case.machine.components) <= LARGEST
    return case if small else None


def proof_of(case):
    return read_proof(as_model(case.machine), case.section.lemmas, case.section.body)


class Attack:
    """On one certificate."""

    def __init__(self, seed, tally):
        self.rng, self.tally, self.seed = Random(seed), tally, seed
        self.seen = set()

    def run(self):
        case = find_case(self.rng, self.seed)
        if case is None:
            return
        self.engine = case.engine
        proof = proof_of(case)
        judge = Judge(case.machine, as_model(case.machine), proof.formula)
        self.truths = judge.claims(proof)
        self.flip(judge, proof)
        for _ in range(OF_EACH):
            self.mutate(judge, proof)
        for _ in range(MODELS):
            self.mutate_model(case.machine, proof)
        self.mutate_formula(case, proof)

    def flip(self, judge, proof):
        """The opposite verdict is rejected, of course. It does not count."""
        opposite = proof._replace(holds=not proof.holds)
        section = Section(
            proof.formula, opposite.holds, lemma_bytes(proof), formula_bytes(opposite)
        )
        for name in CHECKERS:
            assert answers(name, judge.model, [section])[0] not in (None, MALFORMED), self.seed

    def look(self, judge, proof, kinds, *, asked_anew=False):
        """What the checkers say of a mutant, and all say the same. Counts it if it is false."""
        section = Section(proof.formula, proof.holds, lemma_bytes(proof), formula_bytes(proof))
        told = {name: answers(name, judge.model, [section])[0] for name in CHECKERS}
        where = f"case {self.seed}, {self.engine}, {kinds}: {told}"
        assert len(set(told.values())) == 1, f"checkers disagree: {where}\n{proof}"
        problem = told["native"]
        if problem == MALFORMED:
            self.tally.other["malformed"] += 1
            return problem
        false = self.falsity(judge, proof, asked_anew=asked_anew)
        if problem is None:
            assert not false, f"A FALSE CERTIFICATE IS ACCEPTED ({false}): {where}\n{proof}"
            assert not judge.is_wrong(proof), f"A WRONG VERDICT IS ACCEPTED: {where}\n{proof}"
            self.tally.other["accepted, and harmless"] += 1
        elif not false:
            self.tally.other["rejected, and not shown to be false"] += 1
        elif (judge, section) not in self.seen:
            self.seen.add((judge, section))
            self.count(kinds, false, problem)
        return problem

    def count(self, kinds, false, problem):
        tally = self.tally
        tally.false[false] += 1
        tally.rules[problem[:2]] += 1
        if false != "link":
            tally.kinds.update(set(kinds))
            tally.merely_added += set(kinds) <= ADDITIONS
            if len(kinds) == 1:
                tally.alone[kinds[0]] += 1

    def falsity(self, judge, proof, *, asked_anew):
        """What is false. If the model or the formula is another, only the verdict is looked at."""
        if not asked_anew:
            links = False
            for claim in sorted(judge.claims(proof) - self.truths):
                links |= claim.kind == "link"
                if claim.kind != "link" and judge.is_false(claim):
                    return claim.kind
            if links:
                return "link"
        return "verdict" if judge.is_wrong(proof) else None

    def possible(self, proof):
        return [kind for kind in KINDS if bool(proof.lemmas) >= kind.startswith(LEMMA)]

    def pick(self, kinds):
        """Rather those that have been rare."""
        weights = [1 / (5 + self.tally.kinds[kind]) for kind in kinds]
        return self.rng.choices(kinds, weights)[0]

    def mutate(self, judge, proof):
        wanted, kinds = self.possible(proof), []
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            kind = self.pick(wanted)
            new = change(self.rng, judge, proof, kind)
            if new is not None:
                proof = new
                kinds.append(kind)
        if kinds:
            self.repair(judge, proof, kinds, self.look(judge, proof, kinds))

    def repair(self, judge, proof, kinds, problem, *, asked_anew=False):
        """An adversary, who changes what the checkers complain about."""
        before = proof
        for _ in range(REPAIRS):
            if problem in (None, MALFORMED):
                break
            proof = repair(self.rng, judge, proof, problem) or proof
            section = Section(proof.formula, proof.holds, lemma_bytes(proof), formula_bytes(proof))
            problem = answers("native", judge.model, [section])[0]
        if proof != before:
            self.look(judge, proof, [*kinds, "repaired"], asked_anew=asked_anew)

    def mutate_model(self, machine, proof):
        kinds = []
        for _ in range(self.rng.choice((1, 1, 2))):
            kind = self.pick(OF_MODEL)
            new = mutate.mutate(self.rng, machine, kind.removeprefix(MODEL))
            if new is not None:
                machine = new
                kinds.append(kind)
        if not kinds:
            return
        judge = Judge(machine, as_model(machine), proof.formula)
        self.ask_anew(judge, proof, kinds)
        kind = self.pick(self.possible(proof))
        new = change(self.rng, judge, proof, kind)
        if new is not None:
            self.look(judge, new, [*kinds, kind], asked_anew=True)

    def mutate_formula(self, case, proof):
        text = to_text(mutate.other_label(self.rng, case.formula))
        if text != proof.formula and shape_of(text) == shape_of(proof.formula):
            judge = Judge(case.machine, as_model(case.machine), text)
            self.ask_anew(judge, proof._replace(formula=text), [FORMULA])

    def ask_anew(self, judge, proof, kinds):
        """The certificate of another question, as it is and repaired to fit."""
        problem = self.look(judge, proof, kinds, asked_anew=True)
        if problem not in (None, MALFORMED) and judge.is_wrong(proof):
            for _ in range(3):
                self.repair(judge, proof, kinds, problem, asked_anew=True)
