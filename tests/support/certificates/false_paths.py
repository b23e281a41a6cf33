"""False certificates of path formulas, one for each condition of K0 to K9: it alone rejects the certificate.

They stand in unit/certificates/false_paths.json. `python -m support.certificates.false_paths [--first N] [--machines N]` looks
for small ones among spoiled certificates (spoiled_paths.py) and writes the file anew. An adversary repairs what a
checker without the condition complains about, until that checker accepts a wrong verdict.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import NamedTuple

from pigro.certificates.reading import OperandContext
from pigro.formats import rsm_json
from pigro.logic import parse

from support.agreement.ctl import as_model
from support.certificates.false_by_hand import BY_HAND
from support.certificates.sections import Proof
from support.certificates.spoiled_paths import Spoiled, answer, cases, file_of, repaired
from support.certificates.star_traps import machine_of
from support.certificates.weak_paths import WEAKER, weaker

FILE = Path(__file__).parents[2] / "unit" / "certificates" / "false_paths.json"
_REPAIRS = 8


class False_(NamedTuple):
    """A certificate of a wrong verdict."""

    model: str
    semantics: str
    dead_ends: str
    formula: str
    holds: bool
    certificate: str

    @property
    def read(self):
        """The model."""
        return rsm_json.read(
            self.model.encode(), semantics=self.semantics, dead_ends=self.dead_ends
        )

    @property
    def size(self) -> int:
        return len(self.model) + len(self.certificate)


def false_certificates() -> dict[str, False_]:
    """By the condition that rejects them."""
    return {name: False_(**row) for name, row in json.loads(FILE.read_text()).items()}


def accepted_by(check, each: Spoiled) -> bytes | None:
    """A file with a wrong verdict that the checker accepts, from a spoiled certificate."""
    proof = each.proof._replace(holds=not each.truth)
    for _ in range(_REPAIRS):
        try:
            data = file_of(each.model, proof)
            found = answer(check, each.model, data)
        except (ArithmeticError, AssertionError, LookupError, ValueError):
            return None
        if isinstance(found, str):
            return None
        if found.problem is None:
            return data
        again = repaired(proof, found.problem)
        if again is None or again == proof:
            return None
        proof = again
    return None


def _text(found: dict[str, False_]) -> str:
    return json.dumps({key: row._asdict() for key, row in sorted(found.items())}, indent=1) + "\n"


def by_hand() -> dict[str, False_]:
    """Those of false_by_hand.py."""
    made = {}
    for case in BY_HAND:
        model = as_model(machine_of(case.components, case.options))
        text = str(parse(case.formula))
        top = (OperandContext(0, (0,)),)
        proof = Proof((), text, case.holds, tuple(model.initial), case.levels, top)
        made[case.condition] = False_(
            rsm_json.write(model).decode(),
            str(model.semantics),
            str(model.dead_ends),
            text,
            case.holds,
            file_of(model, proof).hex(),
        )
    return made


def main() -> None:
    """Searches, and keeps the smallest of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--machines", type=int, default=1000)
    parser.add_argument("--missing", action="store_true", help="only those that have none yet")
    options = parser.parse_args()
    found = false_certificates() if FILE.exists() else {}
    found = {name: row for name, row in found.items() if name in WEAKER} | by_hand()
    for seed in range(options.first, options.first + options.machines):
        for each in cases(seed):
            model = rsm_json.write(each.model)
            text = model if isinstance(model, str) else model.decode()
            for name in WEAKER:
                size = len(text)
                if name in found and options.missing:
                    continue
                if name in found and found[name].size <= size + 200:
                    continue
                data = accepted_by(weaker(name), each)
                if data is None or (name in found and found[name].size <= size + 2 * len(data)):
                    continue
                found[name] = False_(
                    text,
                    str(each.model.semantics),
                    str(each.model.dead_ends),
                    each.proof.formula,
                    not each.truth,
                    data.hex(),
                )
                print(f"machine {seed}: {name}, {found[name].size}", flush=True)
                FILE.write_text(_text(found))
    FILE.write_text(_text(found))
    print("missing:", *(name for name in WEAKER if name not in found), sep="\n  ")


if __name__ == "__main__":
    main()
