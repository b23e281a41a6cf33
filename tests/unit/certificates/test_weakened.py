"""Each rule without one of its conditions: some test of rules/ notices.

A condition is taken out of the source of the checker. The named test must then see a false certificate
accepted, or rejected by something else. (`make mutants` does the same to the native checker.)
"""

import functools
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import pigro.certificates.checker

from support.certificates.drafts import rejected_by

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
SOURCE = Path(pigro.certificates.checker.__file__).read_text(encoding="utf-8")
ORDER = ("nodes = set() if ordered else set(block.nodes)", "nodes = set(block.nodes)")
ANY_TIME = (
    "        if not is_ordered(stage.op, sure=block.sure):\n            stage.know(block)\n",
    "        stage.know(block)\n",
)
EVERY_RETURN = "all(call.back.get(each, missing) in nodes for each in members(exits))"
WEAKER = {
    "R1: components of lower instances": (
        "fine = child.level.operand_contexts[instance.operands].component == operands.component",
        "fine = True",
        "test_r1_component",
    ),
    "R1: the box calls the component": (
        "fine = stage.model.parts[above.component].boxes[box].callee == below.component",
        "fine = True",
        "test_r1_callee",
    ),
    "R1: links of lower instances": (
        "new is None or (old is not None",
        "True or (old is not None",
        "test_r1_lower_link",
    ),
    "R1: links of instances": (
        "if link != level.instances[target].operands:",
        "if False:",
        "test_r1_instance_link",
    ),
    "R1: the root's parent is a root": (
        "if instance.root and not all(each.root for _, each in lower):",
        "if False:",
        "test_r1_root_parent",
    ),
    "R1: the top has roots": (
        "or (stage.op == TRUE and not instance.root)",
        "or False",
        "test_r1_top_has_roots",
    ),
    "R2: order": (*ORDER, "test_r2_order"),
    "R2: phi1": (
        "return at.phi1[0] >> node & 1 == 1 and (at.is_exit_of_block(node) or leads)",
        "return at.is_exit_of_block(node) or leads",
        "test_r2_phi1",
    ),
    "R2: an exit is in the set": (
        "(at.is_exit_of_block(node) or leads)",
        "(node in at.part.place or leads)",
        "test_r2_exit_is_in_the_set",
    ),
    "R3: order of blocks": (*ANY_TIME, "test_r3_order_of_callee_block"),
    "R3: order of returns": (*ORDER, "test_r3_returns_order"),
    "R3: returns exist": (
        "r3_call(stage, at, node, earlier)",
        "r3_call(stage, at, node, earlier | {-1})",
        "test_r3_return_must_exist",
    ),
    "R3: returns are claimed": (
        EVERY_RETURN + "\n        for call in at.part.called[node]\n        for exits",
        "True\n        for call in at.part.called[node]\n        for exits",
        "test_r3_return_must_be_claimed",
    ),
    "R4: phi": (
        "    if not at.phi1[0] >> node & 1:\n        return False\n",
        "",
        "test_r4_phi",
    ),
    "R4: exits are in the set": (
        "return node not in at.part.place or at.is_exit_of_block(node)",
        "return True",
        "test_r4_dead_ends_are_no_exits",
    ),
    "R4: dead ends have no successor": (
        "    if not at.goes_on(node):\n",
        "    if not at.part.steps[node]:\n",
        "test_r4_calls_are_successors",
    ),
    "R4: returns": (
        EVERY_RETURN + "\n        for call in at.part.called[node]\n        for exits",
        "True\n        for call in at.part.called[node]\n        for exits",
        "test_r4_returns",
    ),
    "R5: phi2": (
        "if not at.phi2[1] >> node & 1 or at.phi1[1] >> node & 1:\n        return at.phi2[1] >> node & 1 == 1",
        "if at.phi1[1] >> node & 1:\n        return True",
        "test_r5_phi2",
    ),
    "R5: the exit case": (
        "        return at.is_exit_of_block(node)\n    return _goes_only_to",
        "        return True\n    return _goes_only_to",
        "test_r5_exit_case",
    ),
    "R5: successors": (
        "return nodes.issuperset(at.part.steps[node]) and all(",
        "return all(",
        "test_r5_successors",
    ),
    "R5: calls": (
        "        for call in at.part.called[node]\n    )\n\n\n_RULES",
        "        for call in []\n    )\n\n\n_RULES",
        "test_r5_calls_need_blocks",
    ),
    "R5: returns": (
        "            " + EVERY_RETURN + "\n            for exits",
        "            True\n            for exits",
        "test_r5_returns",
    ),
    "R6: order": (*ORDER, "test_r6_order"),
    "R6: order of blocks": (*ANY_TIME, "test_r6_order_of_callee_block"),
    "R6: order of returns": (*ORDER, "test_r6_returns_order"),
    "R6: dead ends": (
        "return at.goes_on(node) and _goes_only_to",
        "return _goes_only_to",
        "test_r6_dead_end",
    ),
    "R6: returns exist": (
        "earlier, missing=-1)",
        "earlier | {-1}, missing=-1)",
        "test_r6_missing_return",
    ),
    "R6: exits": (
        "if at.phi1[1] >> node & 1 or at.is_exit_of_block(node):",
        "if at.phi1[1] >> node & 1 or node in at.part.place:",
        "test_r6_exit",
    ),
    "R7: true masks": (
        "for side, mask in enumerate((to.true, to.false)):",
        "for side, mask in enumerate((0, to.false)):",
        "test_r7_true_mask",
    ),
    "R7: false masks": (
        "for side, mask in enumerate((to.true, to.false)):",
        "for side, mask in enumerate((to.true, 0)):",
        "test_r7_false_mask",
    ),
    "R7: true masks of roots": (
        "enumerate((instance.true, instance.false) if instance.root else ())",
        "enumerate((0, instance.false) if instance.root else ())",
        "test_r7_root_mask",
    ),
    "R7: false masks of roots": (
        "enumerate((instance.true, instance.false) if instance.root else ())",
        "enumerate((instance.true, 0) if instance.root else ())",
        "test_r7_false_root_mask",
    ),
    "R7: missing returns under stop": (
        "fine = side == 1 if stop and stage.op == EX else loops(target, each, side)",
        "fine = loops(target, each, side)",
        "test_r7_missing_return_stop",
    ),
    "R7: missing returns": (
        "fine = side == 1 if stop and stage.op == EX else loops(target, each, side)",
        "fine = True",
        "test_r7_missing_return",
    ),
    "R8: each initial node": (
        'raise broken(stage, 8, "initial node", at)',
        "return",
        "test_r8_each_initial_node",
    ),
    "R8: some initial node": (
        'raise broken(stage, 8, "initial node", 0)',
        "return",
        "test_r8_some_initial_node_is_false",
    ),
    "R8: unknown is not true": (
        "if section.holds and not value[0] >> local & 1:",
        "if section.holds and value[1] >> local & 1:",
        "test_r8_unknown_is_not_true",
    ),
    "R9: closure": (
        "if component not in relevant and callee in relevant:",
        "if False:",
        "test_r9_closure",
    ),
    "R9: nodes": (
        "if not fine >> node & 1 and node not in part.calls:",
        "if False:",
        "test_r9_nodes",
    ),
    "R9: phi2": (
        "        fine = first[0] & second[1] if stage.op == EU else first[0]\n        for node",
        "        fine = first[0]\n        for node",
        "test_r9_nodes",
    ),
    "R9: order of lemmas": (*ANY_TIME, "test_r9_lemma_order"),
}


@pytest.mark.parametrize("name", WEAKER)
def test_a_weaker_rule_is_noticed(name):
    old, new, test = WEAKER[name]
    weak = checker_of(replaced(old, new))
    assert not noticed(test, checker_of(SOURCE).check_certificates)
    assert noticed(test, weak.check_certificates)


def replaced(old, new):
    assert SOURCE.count(old) == 1, "the source has changed: write the weaker rule anew"
    return SOURCE.replace(old, new)


def checker_of(source):
    module = ModuleType("weak")
    exec(compile(source, "weak", "exec"), module.__dict__)
    return module


def noticed(name, check):
    """Whether the test of that name, with any of its parameters, fails with this checker."""
    [test] = [getattr(each, name) for each in rules() if hasattr(each, name)]
    rejected = rejected_by(lambda model, data: list(check(model, data)))
    for operand_contexts in parameters(test):
        try:
            test(rejected, **operand_contexts)
        except AssertionError:
            return True
    return False


@functools.cache
def rules():
    """The modules with tests of rules."""
    found = []
    for path in sorted(Path(__file__).with_name("rules").glob("test_*.py")):
        spec = importlib.util.spec_from_file_location(f"{path.stem}_to_weaken", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found.append(module)
    return found


def parameters(test):
    """What a test is parametrised with."""
    found = [{}]
    for mark in getattr(test, "pytestmark", []):
        names = [each.strip() for each in mark.args[0].split(",")]
        rows = [row if len(names) > 1 else [row] for row in mark.args[1]]
        found = [{**one, **dict(zip(names, row, strict=True))} for one in found for row in rows]
    return found
