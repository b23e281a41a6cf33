"""Puts known bugs into copies of the native core, one at a time, and sees the named tests fail.

`make mutants`. A mutant that its test does not kill, or a change that no longer applies, is an error. So is a
certificate of a wrong verdict of a mutant that a sound checker accepts (tests/support/certificates/broken_engines.py).
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import claim_mutants
import path_mutants

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
LIST = ROOT / "docs" / "mutants.csv"
TESTS = "tests/unit/engines"
EXPECTING = (  # those of its files that call `expect`, which tests/support/certificates/broken_engines.py replaces
    "tests/unit/engines/test_known_bugs.py",
    "tests/unit/engines/test_known_bugs_of_demand.py",
    "tests/unit/papers/finis2012/test_single_exit_engines.py",
)
CHECKER_TESTS = "tests/unit/certificates/rules"
PATH_TESTS = "tests/property/test_ctl_star_on_recursion.py"
PATH_CHECKER_TESTS = "tests/unit/certificates/test_path_rules.py"
CLAIM_TESTS = "tests/unit/engines/game/test_recursion.py"
STRATEGY_TESTS = "tests/unit/evidence/test_game_strategy.py"


@dataclass(frozen=True)
class Mutant:
    """A bug: in `file`, `old` becomes `new`. The test of that name must fail."""

    bug: str
    file: str
    old: str
    new: str
    test: str
    extra: tuple[str, str, str] | None = None  # a second change: file, old, new
    tests: str = ""  # the file of the test, if it is another one than usual

    @property
    def of_checker(self) -> bool:
        """Whether it weakens the native checker of certificates."""
        return self.file.startswith("verify/")

    @property
    def proves(self) -> bool:
        """Whether its verdicts come with certificates: those of claims do not, nor those of a checker."""
        return not self.of_checker and self.tests != CLAIM_TESTS

    @property
    def home(self) -> str:
        """Where its test is."""
        return self.tests or (CHECKER_TESTS if self.of_checker else TESTS)


MUTANTS = (
    Mutant(
        "a mask bit is dropped",
        "levels/level.cpp",
        "set_bit(mask_.data(), ordinal);",
        "if (ordinal != 1) set_bit(mask_.data(), ordinal);",
        "test_mask_bit_dropped",
    ),
    Mutant(
        "only the first word of a mask is compared",
        "levels/level.cpp",
        "const std::size_t words = mask_words(operand_contexts_[operands].component);",
        "const std::size_t words = std::min<std::size_t>(1, mask_words(operand_contexts_[operands].component));",
        "test_mask_bit_dropped_beyond_a_word",
    ),
    Mutant(
        "a call's return is visited before the callee is finished",
        "levels/globally.cpp",
        "      leave();\n      return false;\n    case NodeKind::call:",
        "      for (std::size_t i = path_.size(); i-- > 0;) {\n"
        "        if (path_[i].callee != path_.back().key) continue;\n"
        "        const Id back = model_.return_node(model_.box(path_[i].node), model_.ordinal(path_.back().node));\n"
        "        if (back != kNone && !test_bit(keys_[path_[i].key].visited,\n"
        "            static_cast<std::size_t>(back - keys_[path_[i].key].first_node))) {\n"
        "          return enter(path_[i].key, back);\n"
        "        }\n"
        "      }\n"
        "      leave();\n      return false;\n    case NodeKind::call:",
        "test_return_visited_before_callee_is_finished",
    ),
    Mutant(
        "the root mask of EX is forgotten",
        "levels/level.cpp",
        "const Word* mask = loop_mask(operands); // at the empty stack an exit loops",
        "const std::vector<Word> none(model_.exit_words(component) + 1, 0);\n"
        "  const Word* mask = spec_.op == Op::next ? none.data() : loop_mask(operands);",
        "test_ex_root_mask_forgotten",
    ),
    Mutant(
        "EX at a call does not look through",
        "levels/next.cpp",
        "value = some_successor(model_.subject(node), first(callee), model_.first(model_.callee(box)));",
        "value = test_bit(first(callee), static_cast<std::size_t>(model_.subject(node) - "
        "model_.first(model_.callee(box))));",
        "test_ex_at_a_call_looks_through",
    ),
    Mutant(
        "a missing return node is treated as present (contexts)",
        "levels/level.cpp",
        "if (model_.return_count(box) < model_.exit_count(model_.callee(box))) {",
        "if (false) {",
        "test_missing_return_is_a_dead_end",
    ),
    Mutant(
        "a missing return node is treated as present (summaries)",
        "levels/globally.cpp",
        "  if (model_.return_count(box) == model_.exit_count(model_.callee(box))) return false;\n",
        "  return false;\n",
        "test_missing_return_inside_a_summary",
    ),
    Mutant(
        "a call of an entry-exit node is a dead end",
        "model/model.cpp",
        "const Id listed = semantics == Semantics::standard ? listed_return(b, entry) : kNone;",
        "const Id listed = kNone;",
        "test_entry_exit_call_is_no_dead_end",
    ),
    Mutant(
        "need is not closed over callers",
        "levels/level.cpp",
        "const bool needed = relevance().needs_context(i, component);",
        "const bool needed = relevance().needs_context(i, component) && caller.lower[i] != kNone;",
        "test_need_closed_over_callers",
        extra=(
            "levels/relevance.cpp",
            "needs_context_[child].insert_with_callers(model, std::move(dependent)); // N2",
            "for (const Id component : dependent) needs_context_[child].insert(model, component);",
        ),
    ),
    Mutant(
        "relevant is not closed over callers",
        "levels/relevance.cpp",
        "relevant_.insert_with_callers(query.model, std::move(relevant)); // N3",
        "for (const Id component : relevant) relevant_.insert(query.model, component);",
        "test_relevant_closed_over_callers",
    ),
    Mutant(
        "a resumed search reads incomplete exits",
        "levels/until.cpp",
        "  const Id id = key(operands, entry);\n  while (",
        "  const Id before = static_cast<Id>(keys_.size());\n"
        "  const Id id = key(operands, entry);\n"
        "  if (query_.policy.stop_at_hit && id < before) return {keys_[id].hit, keys_[id].exits};\n  while (",
        "test_resumed_search_reads_complete_exits",
    ),
    Mutant(
        "staying at the empty stack sets hit",
        "levels/globally.cpp",
        "  return stays;\n",
        "  if (stays) keys_[key(root, node)].hit = true;\n  return stays;\n",
        "test_staying_at_the_empty_stack_is_no_hit",
    ),
    Mutant(
        "refinement is used where a nested operator depends on the context",
        "levels/relevance.cpp",
        "if (refine && source.context_free(child, component)) { // N4",
        "if (refine) {",
        "test_refinement_under_a_nested_operator",
    ),
    Mutant(
        "an instance's key misses the mask of a subformula",
        "levels/level.cpp",
        "same_words(lower.data(), operand_contexts_[id].lower, lower.size());",
        "(lower.empty() || lower[0] == operand_contexts_[id].lower[0]);",
        "test_instance_key_has_every_mask",
        extra=(
            "levels/level.cpp",
            "for (const Id instance : lower) hash = mix(hash, static_cast<std::uint64_t>(instance));",
            "if (!lower.empty()) hash = mix(hash, static_cast<std::uint64_t>(lower[0]));",
        ),
    ),
    Mutant(
        "the backward direction drops a return when the callee's summary grows",
        "levels/backward.cpp",
        "void Backward::absorb_returns(Id id, Id call, const Word* exits) {\n"
        "  const Table& table = tables_[id];\n"
        "  const Id box = model_.box(call);\n"
        "  for (Id i = 0, node = model_.first_return(box);",
        "void Backward::absorb_returns(Id id, Id call, const Word* exits) {\n"
        "  const Table& table = tables_[id];\n"
        "  const Id box = model_.box(call);\n"
        "  for (Id i = 1, node = model_.first_return(box) + 1;",
        "test_backward_late_summary",
    ),
    Mutant(
        "the backward direction drops a return when what follows it grows",
        "levels/backward.cpp",
        "if (exits != nullptr && test_bit(exits, static_cast<std::size_t>(model_.ordinal(at.node)))) {",
        "if (exits != nullptr && model_.ordinal(at.node) != 1 &&"
        " test_bit(exits, static_cast<std::size_t>(model_.ordinal(at.node)))) {",
        "test_backward_drops_no_return",
    ),
    Mutant(
        "labels of exits do not ask at return nodes",
        "levels/relevance.cpp",
        "for (const Id ret : model.returns_of_exit(node)) add(ret);",
        "",
        "test_exits_that_carry_labels_ask_in_the_caller",
    ),
    Mutant(
        "labels of entries do not ask at call nodes",
        "levels/relevance.cpp",
        "for (const Id call : model.calls_of_entry(node)) add(call);",
        "",
        "test_entries_that_carry_labels_ask_at_the_call",
    ),
    Mutant(  # no verdict is wrong, but assertions are looked at twice
        "a page that grows forgets",
        "onthefly/onthefly.cpp",
        "= page.cells[i];",
        "= 0;",
        "test_only_what_the_answer_needs_is_looked_at",
    ),
)

_RULES = "verify/rules.cpp"
_LIST = """(const Block& block, Id index) {
  const OperandContext operands = values_.at(block.operands);
  earlier_.assign(model_.words(operands.component), 0);"""
_ANY_ORDER = _LIST.replace(", 0);", ", ~Word{0});")
_EXIT = "if (model_.kind(node) == NodeKind::exit) return exit_in(block.exits, node);"
ON_THE_FLY = tuple(
    Mutant(bug, file, old, new, "test_models_agree_with_the_tableau")
    for bug, file, old, new in (
        (
            "a component forgets the branch that leads into it",
            "onthefly/onthefly.cpp",
            "keep_only(obligations_.row(before.row)[before.branch].kept);",
            "static_cast<void>(before);",
        ),
        (
            "a component forgets the branch that closes a cycle",
            "onthefly/onthefly.cpp",
            "kept_.assign(kept, kept + words_);",
            "for (std::size_t i = kept_.size(); i < words_; ++i) kept_.push_back(kept[i]);",
        ),
        (
            "components are not joined",
            "onthefly/onthefly.cpp",
            "if (frames_[frame].place <= place) break;",
            "if (frames_[frame].place <= place + 1) break;",
        ),
        (
            "what is open when a search fails counts as true",
            "onthefly/onthefly.cpp",
            "if (!answer) settle(0, kFalse);",
            "if (!answer) settle(0, kTrue);",
        ),
        (
            "a release formula is kept though its right side was met",
            "formula/obligations.cpp",
            "if (!test_bit(draft.seen.data(), goal)) set_bit",
            "set_bit",
        ),
        (
            "a run that stops reaches goals that were put off",
            "formula/obligations.cpp",
            "it.add_next(member, false);",
            "it.add_next(member, true);",
        ),
        (
            "a release formula ends badly where runs stop",
            "formula/obligations.cpp",
            "            it.add_next(member, true);\n",
            "            it.add_next(member, false);\n",
        ),
        (
            "one operand of a conjunction is forgotten",
            "formula/obligations.cpp",
            "fork([&](Draft& other) { other.add(place_[right]); });",
            "(void)0;",
        ),
        (
            "a branch is implied by one that keeps more",
            "formula/obligations.cpp",
            " && within(one.kept, other.kept) &&",
            " &&",
        ),
        (
            "a set leaves out what until starts with",
            "formula/obligations.cpp",
            "if (op == PathOp::disjunction) clear_bit",
            "clear_bit",
        ),
        (
            "a letter is that of another node",
            "formula/obligations.hpp",
            "Id& known = letter_at_[at]; // plus 1",
            "Id& known = letter_at_[at / 2]; // plus 1",
        ),
    )
)
WEAKER_CHECKERS = (
    Mutant(
        "R1: the root's parent need be no root",
        _RULES,
        "if (instance.root && !lower_of(instance.operands, true))",
        "if (false)",
        "test_r1_root_parent",
    ),
    Mutant(
        "R1: links of lower instances are not looked at",
        _RULES,
        "if (below == kNone || section_.instance_link_of.find(below, link.box) != above)",
        "if (false)",
        "test_r1_lower_link",
    ),
    Mutant(
        "R2: without order",
        _RULES,
        "void Rules::check_until_sure" + _LIST,
        "void Rules::check_until_sure" + _ANY_ORDER,
        "test_r2_order",
    ),
    Mutant(
        "R3: without order of blocks",
        _RULES,
        "if (section_.blocks[i].set != nullptr) know(section_.blocks[i]); // in these",
        "know(section_.blocks[i]); // in these",
        "test_r3_order_of_callee_block",
    ),
    Mutant(
        "R3: a return node may be missing",
        _RULES,
        "if (node == kNone ? block.missing == Current::Missing::refused",
        "if (node == kNone ? false",
        "test_r3_return_must_exist",
    ),
    Mutant(
        "R4: phi is not looked at",
        _RULES,
        "const bool fine = test_bit(operands.last.yes, local) && (stays",
        "const bool fine = (stays",
        "test_r4_phi",
    ),
    Mutant(
        "R5: without the exit case",
        _RULES,
        "bool Rules::goes_on_only(const Current& block, Id node) const {\n  " + _EXIT,
        "bool Rules::goes_on_only(const Current& block, Id node) const {\n  "
        + _EXIT.replace("exit_in(block.exits, node)", "true"),
        "test_r5_exit_case",
    ),
    Mutant(
        "R6: without order",
        _RULES,
        "void Rules::check_always_bound" + _LIST,
        "void Rules::check_always_bound" + _ANY_ORDER,
        "test_r6_order",
    ),
    Mutant(
        "R6: a dead end is bounded",
        _RULES,
        "(!stays && goes_on_only(current, node))",
        "(stays || goes_on_only(current, node))",
        "test_r6_dead_end",
    ),
    Mutant(
        "R7: true masks are not looked at",
        _RULES,
        "{&Truth::yes, &Truth::no}) {\n    core::for_each_bit(target.masks",
        "{&Truth::no}) {\n    core::for_each_bit(target.masks",
        "test_r7_true_mask",
    ),
    Mutant(
        "R7: false masks are not looked at",
        _RULES,
        "{&Truth::yes, &Truth::no}) {\n    core::for_each_bit(target.masks",
        "{&Truth::yes}) {\n    core::for_each_bit(target.masks",
        "test_r7_false_mask",
    ),
    Mutant(
        "R7: masks of roots are not looked at",
        _RULES,
        "if (section_.instances[i].root) check_root",
        "if (false) check_root",
        "test_r7_root_mask",
    ),
    Mutant(
        "R8: one initial node is enough",
        _RULES,
        'reject(8, "initial node", static_cast<Id>(i));',
        "continue;",
        "test_r8_each_initial_node",
    ),
    Mutant(
        "R9: irrelevant components may call relevant ones",
        _RULES,
        'if (least != kNone) reject(9, "component", least);',
        "",
        "test_r9_closure",
    ),
    Mutant(
        "R9: nodes of irrelevant components are not looked at",
        _RULES,
        "if (section_.irrelevant(level_, component)) check_irrelevant_component(component);",
        "",
        "test_r9_nodes",
    ),
)
"""Each rule of the native checker without one of its conditions. The tests are those of certificates."""
PATHS = (
    *(
        Mutant(*row, "test_machines_that_catch_a_mistake", tests=PATH_TESTS)
        for row in path_mutants.LEVELS
    ),
    *(
        Mutant(*row, "test_a_false_certificate_is_rejected", tests=PATH_CHECKER_TESTS)
        for row in path_mutants.CHECKER
    ),
)
"""Bugs of path levels, and weaker rules about path formulas."""
CLAIMS = tuple(Mutant(*row, "test_by_hand", tests=CLAIM_TESTS) for row in claim_mutants.CLAIMS)
"""Bugs of claims about the mu-calculus."""
STRATEGIES = tuple(
    Mutant(
        f"{rule}: {bug}",
        "verify/game_strategy.cpp",
        old,
        new,
        f"{rule} or test_each_initial_node_needs_a_start or test_nothing_was_seen_at_the_bottom",
        tests=STRATEGY_TESTS,
    )
    for rule, bug, old, new in (
        (
            "W1",
            "`seen` at the bottom may be anything",
            "(!is_bottom(here.frame) || here.seen == 0)",
            "true",
        ),
        (
            "W2",
            "labels are not looked at",
            "is_true(here.formula, here.node) == strategy_.holds",
            "true",
        ),
        (
            "W3",
            "a call may rest on any claim",
            "if (is_bottom(callee) || !says(here.rests[0], callee, model_.subject(here.node), here.formula, 0)) return false;",
            "",
        ),
        (
            "W4",
            "a variable may rest on any claim",
            "says(here.rests[0], here.frame, here.node, form_.left[here.formula], seen)",
            "seen >= 0",
        ),
        (
            "W5",
            "the loser has one choice only",
            "return here.rests.size() == 2 && at(0, left) && at(1, right);",
            "return here.rests.size() == 2;",
        ),
        (
            "W6",
            "steps of the loser lead anywhere",
            "if (!leads(here.rests[at], after[at])) return false;",
            "",
        ),
        (
            "W7",
            "nothing need be promised",
            "here.rests.empty() && is_promised(here)",
            "here.rests.empty()",
        ),
        (
            "W8",
            "cycles are not looked at",
            "steps_[first_step(claim) + place] != most || group[claim] != group[rests[place]]",
            "group[claim] >= 0",
        ),
        (
            "W9",
            "no start is needed",
            "strategy_.holds ? std::ranges::all_of(initial, is_started) : std::ranges::any_of(initial, is_started)",
            "started.size() <= initial.size() + strategy_.starts.size() || is_started(0)",
        ),
    )
)
"""The checker of strategies without a condition of each rule."""
EVERY = (*MUTANTS, *ON_THE_FLY, *WEAKER_CHECKERS, *PATHS, *CLAIMS, *STRATEGIES)


def build(native: Path, build_dir: Path) -> Path:
    """The extension built from a copy of the sources."""
    nanobind = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    configure = [
        "cmake", "-S", native.parent, "-B", build_dir, "-DCMAKE_BUILD_TYPE=Release",
        f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind}",
        *(["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []),
    ]  # fmt: skip
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    command = ["cmake", "--build", build_dir, "--target", "_core", "-j", str(os.cpu_count())]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(build_dir.glob("_core.*.so"))


def install(extension: Path, site: Path) -> None:
    """Pigro with this extension, in a folder of its own."""
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(
        ROOT / "src" / "pigro", site / "pigro", ignore=shutil.ignore_patterns("_core.*")
    )
    shutil.copy(extension, site / "pigro")


def run_tests(site: Path, *options: str, **environment: str) -> bool:
    """Do these tests pass with the Pigro in this folder?"""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    environment = os.environ | {"PYTHONPATH": f"{site}:{ROOT / 'tests'}"} | environment
    done = subprocess.run(
        command, check=False, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    return done.returncode == 0


def testify(site: Path, sound: Path, *, paths: bool) -> tuple[bool, str]:
    """What the engines in a folder swear to: is it nowhere false and accepted? And in words.

    With `paths` they are asked the traps of CTL*.
    """
    told = WORK / "wrong_certificates.jsonl"
    told.unlink(missing_ok=True)
    if paths:
        subprocess.run(
            [sys.executable, "-m", "support.certificates.broken_engines", told, "traps"],
            check=False,
            env=os.environ | {"PYTHONPATH": f"{site}:{ROOT / 'tests'}"},
        )
    else:
        run_tests(
            site,
            *EXPECTING,
            "-p",
            "support.certificates.broken_engines",
            WRONG_CERTIFICATES=str(told),
        )
    done = subprocess.run(
        [sys.executable, "-m", "support.certificates.broken_engines", told],
        check=False,
        env=os.environ | {"PYTHONPATH": f"{sound}:{ROOT / 'tests'}"},
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.returncode == 0, done.stdout.strip()


def try_mutant(mutant: Mutant, native: Path, sound: Path) -> tuple[bool, str]:
    """Puts the bug in, runs its test, takes the bug out. Whether all is well, and in words."""
    changes = [(mutant.file, mutant.old, mutant.new)]
    changes += [mutant.extra] if mutant.extra else []
    originals: dict[Path, str] = {}
    try:
        for file, old, new in changes:
            path = native / (file if mutant.of_checker else f"core/{file}")
            text = path.read_text()
            originals.setdefault(path, text)
            if text.count(old) != 1:
                return False, "DOES NOT APPLY"
            path.write_text(text.replace(old, new))
        site = WORK / "site"
        install(build(native, WORK / "build"), site)
        if run_tests(site, mutant.home, "-x", "-k", mutant.test):
            return False, "SURVIVES"
        if not mutant.proves:
            return True, "killed"
        honest, told = testify(site, sound, paths=bool(mutant.tests))
        return honest, f"killed; {told}" if honest else f"A FALSE PROOF IS ACCEPTED: {told}"
    finally:
        for path, text in originals.items():
            path.write_text(text)


def as_csv() -> str:
    """Every bug, and the test that notices it: docs/mutants.csv."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["bug", "changed", "tests", "test"])
    writer.writerows([each.bug, each.file, each.home, each.test] for each in EVERY)
    return out.getvalue()


def main(*words: str) -> int:
    """Runs every mutant, or those whose bug has one of these words. 1 if any survives.

    `--list` writes docs/mutants.csv and runs none.
    """
    if words == ("--list",):
        LIST.write_text(as_csv(), encoding="utf-8")
        return 0
    source = WORK / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    shutil.copy(ROOT / "CMakeLists.txt", source)
    shutil.copytree(
        ROOT / "native", source / "native", copy_function=shutil.copyfile
    )  # new times: rebuild
    native = source / "native"
    sound = WORK / "sound"
    install(build(native, WORK / "build"), sound)
    if not run_tests(sound, TESTS, CHECKER_TESTS, PATH_CHECKER_TESTS, STRATEGY_TESTS):
        print("the tests fail without any mutant")
        return 1
    print(f"sound: {testify(sound, sound, paths=False)[1]}", flush=True)
    survivors = 0
    mutants = [each for each in EVERY if not words or any(word in each.bug for word in words)]
    for mutant in mutants:
        well, told = try_mutant(mutant, native, sound)
        survivors += not well
        print(f"{mutant.bug} ({mutant.test}): {told}", flush=True)
    print(f"{len(mutants) - survivors} of {len(mutants)} mutants killed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
