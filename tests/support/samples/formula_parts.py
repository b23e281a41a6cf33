"""Random modules of SMV as parts, and questions about them."""

import re
from random import Random

from pigro.diagnostics import PigroError
from pigro.formats.smv.composing import parts_of_modules
from pigro.logic import parse, quote
from pigro.logic.modal import modal_form

from oracle.mu_formula import Shape, random_mu, text
from oracle.smv_flat import text_of
from support.samples.smv_drafts import Draft


def read(text_of_file, name="main"):
    """The part, not asked for states, or the code of what is wrong."""
    try:
        (part,) = parts_of_modules(text_of_file.encode(), source=f"{name}.smv").parts
    except PigroError as error:
        return None, error.code
    return part, None


def with_conditions(draft):
    """The program with two random definitions, which are labels."""
    conditions = [draft.state.expr("bool", 2) for _ in range(2)]
    return draft.text + "".join(
        f"DEFINE d{at} := {text_of(each)};\n" for at, each in enumerate(conditions)
    )


def composition_of(seed):
    """Two or three random modules. Some of their variables have the same names."""
    rng = Random(seed)
    parts = []
    for at in range(rng.randint(1, 3)):
        file = with_conditions(Draft(rng))
        if rng.random() < 0.7:
            file = re.sub(r"\bv1\b", f"w{at}", file)
        if rng.random() < 0.5:
            file = re.sub(r"\bd1\b", f"e{at}", file)
        part, wrong = read(file, f"part{at}")
        if wrong is not None or len(part.states) > 40:
            return None
        parts.append(part)
    return parts if rng.random() < 0.7 else [parts[0], *(part.listed() for part in parts[1:])]


def random_question(rng, composition):
    """A random formula without alternation over a few labels of a composition."""
    atoms = list(composition.atoms)
    rng.shuffle(atoms)
    few = [quote(each) for each in atoms[:4]]
    while True:
        size = rng.randint(2, 10)
        formula = parse(text(random_mu(rng, few, size, shape=Shape(alternation=False))))
        if modal_form(formula).alternation_free:
            return formula
