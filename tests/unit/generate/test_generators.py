"""Random models, formulas and pushdown systems: their shape, and that seeds mean what they did."""

from __future__ import annotations

import hashlib
import random
import re
import subprocess
import sys

import pytest

from pigro import UsageError, check, load, parse
from pigro.formats import registry, rsm_json
from pigro.generate import (
    FormulaShape,
    ModelShape,
    ModuleShape,
    PushdownShape,
    random_formula,
    random_model,
    random_pushdown_system,
)
from pigro.generate.stream import RandomStream
from pigro.logic import Op


def digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def test_the_stream_is_for_ever():
    assert [RandomStream(7, 2).draw(), RandomStream(7, 3).draw()] == [
        random.Random(7 * 2**32 + 2).random(),
        random.Random(7 * 2**32 + 3).random(),
    ]
    assert RandomStream(1).draw() != RandomStream(0, 1).draw()


def test_seeds_mean_what_they_did():
    """To change these is to change every file that somebody made: tell it in the changelog."""
    model = rsm_json.write(random_model(ModelShape.of_grid(7), seed=3))
    formulas = "\n".join(str(random_formula(FormulaShape(depth=3), 3, i)) for i in range(20))
    system = random_pushdown_system(PushdownShape(longest=4, rules=50), seed=3)
    assert [digest(model), digest(formulas.encode()), digest(system.encode())] == DIGESTS


DIGESTS = ["7addd5c90f8e49e0", "36edce319717dbd9", "98d4f83ae1119684"]


@pytest.mark.parametrize("size", [1, 2, 3, 10, 20])
def test_models_of_the_grid(size):
    model = random_model(ModelShape.of_grid(size), seed=size)
    counted = model.statistics
    assert counted.components == size
    assert counted.boxes == size * (size // 3)
    assert counted.nodes == 3 * size * size
    assert counted.dead_ends == 0
    each = max(1, 3 * size // 20)
    assert (counted.entries, counted.exits) == (size * each, size * each)
    assert check(model, "AG (EX true)").holds


def test_density_and_labels_are_as_asked():
    shape = ModelShape(components=4, boxes=2, nodes=50, density=0.3, labels={"p": 0.1, "q": 0.9})
    model = random_model(shape, seed=5)
    sources, targets = 48 + 2 * 2, 48 + 2 * 2
    assert model.statistics.edges == pytest.approx(4 * sources * targets * 0.3, rel=0.05)
    counts = {label: len(model.core.labelled(i)) for label, i in model.label_ids.items()}
    assert counts["p"] == pytest.approx(20, abs=12)
    assert counts["q"] == pytest.approx(180, abs=12)


def test_without_recursion_there_is_none():
    for seed in range(10):
        shape = ModelShape(components=6, boxes=3, recursion=False)
        model = random_model(shape, seed)
        assert not model.statistics.recursive
        assert model.statistics.boxes == 15
    assert random_model(ModelShape(components=6, boxes=3)).statistics.recursive


def test_extreme_models():
    assert random_model(ModelShape(components=1, boxes=0, nodes=2)).statistics.edges == 1
    full = random_model(ModelShape(components=2, boxes=1, nodes=4, density=1.0, labels={}))
    assert full.statistics.edges == 2 * (3 + 1) * (3 + 1)
    assert not full.label_ids
    none = random_model(ModelShape(density=0.0))
    assert none.statistics.edges == 5 * (9 + 2)


def depth(formula):
    """How deeply A and E are nested."""
    found = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        children = [found[i] for i in (left, right) if i >= 0] if op != Op.ATOM else []
        found.append(max(children, default=0) + (op in (Op.A, Op.E)))
    return found[-1]


@pytest.mark.parametrize("wanted", [0, 1, 2, 5, 100])
def test_formulas_have_the_depth_asked_for(wanted):
    for number in range(20):
        formula = random_formula(FormulaShape(depth=wanted), 1, number)
        assert depth(formula) == wanted
        assert parse(str(formula)) == formula
        formula.require_ctl()
        assert len(str(formula)) < 200_000


def test_formulas_of_the_grid():
    assert [FormulaShape.of_grid(j).depth for j in (1, 8, 9, 17, 18, 50)] == [0, 0, 1, 1, 2, 5]


def test_formulas_use_what_they_may():
    shape = FormulaShape(
        depth=3, branching=1, negation=0.0, labels=("x", "y"), operators=("AF", "EU")
    )
    texts = [str(random_formula(shape, 2, number)) for number in range(50)]
    words = set(re.findall(r"\w+", " ".join(texts)))
    assert words == {"x", "y", "AF", "E", "U"}
    assert not set("".join(texts)) & set("!&|")
    always = str(random_formula(FormulaShape(depth=0, negation=1.0), 2))
    assert always.count("!") == len(re.findall(r"[abc]", always))


RULE = re.compile(r"p\d+ <g\d+> --> p\d+ <(g\d+( g\d+)*)?>")


def test_pushdown_systems():
    shape = PushdownShape(states=2, symbols=3, rules=40, longest=4)
    text = random_pushdown_system(shape, seed=1)
    start, *rest = [line for line in text.split("\n") if line]
    rules = [line for line in rest if not line.startswith("ATOMS")]
    assert start == "(p0 <g0>)"
    assert all(RULE.fullmatch(rule) for rule in rules)
    assert len(set(rules)) == len(rules) == 40
    lengths = {rule.rpartition("<")[2].count("g") for rule in rules}
    assert lengths == {0, 1, 2, 3, 4}


def test_pushdown_systems_with_few_possible_rules_end():
    shape = PushdownShape(states=1, symbols=1, rules=1000, labels={})
    assert random_pushdown_system(shape).count("-->") == 3


def test_pushdown_systems_can_be_read(tmp_path):
    if "pds" not in [each.name for each in registry.formats()]:
        pytest.skip("there is no reader of .pds files")
    for seed in range(20):
        file = tmp_path / f"{seed}.pds"
        file.write_text(random_pushdown_system(PushdownShape(longest=3), seed))
        check(load(file), "EF EX true")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ModelShape(components=0),
        lambda: ModelShape(boxes=-1),
        lambda: ModelShape(nodes=1),
        lambda: ModelShape(density=1.5),
        lambda: ModelShape(labels={"p": -1}),
        lambda: ModelShape.of_grid(0),
        lambda: FormulaShape(depth=-1),
        lambda: FormulaShape(depth=101),
        lambda: FormulaShape(branching=0),
        lambda: FormulaShape(negation=2),
        lambda: FormulaShape(labels=()),
        lambda: FormulaShape(operators=("EZ",)),
        lambda: FormulaShape.of_grid(0),
        lambda: PushdownShape(states=0),
        lambda: PushdownShape(rules=-1),
        lambda: PushdownShape(pop=0.6, push=0.6),
        lambda: PushdownShape(longest=1),
        lambda: PushdownShape(labels={"p": 2}),
        lambda: random_model(ModelShape(), seed=-1),
    ],
)
def test_shapes_that_nothing_has(make):
    with pytest.raises(UsageError) as caught:
        make()
    assert caught.value.code == "P006"


def test_generating_imports_no_engine():
    assert "pigro.engines" not in _modules_after("import pigro.generate")


def _modules_after(code):
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    "shape", [{"modules": 10**9}, {"states": 10**8}, {"formulas": 10**8}, {"data": 10**9}]
)
def test_files_of_modules_have_a_largest_size(shape):
    with pytest.raises(UsageError) as caught:
        ModuleShape(**shape)
    assert caught.value.code == "P006"
    assert "is at most 10,000,000, not" in caught.value.message
