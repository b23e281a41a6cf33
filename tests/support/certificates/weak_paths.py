"""The Python checker of certificates without one of the conditions of K0 to K9.

Each row: the module of pigro.certificates, the text of the condition there, and what stands in its place. K6 need
not ask that nothing is accepted at once, since K7 asks it of all vertices that matter.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MODULES = ("tableau", "path_values", "path_rules", "checker")
_PACKAGE = "pigro.certificates."
WEAKER = {
    "K0: labels decide leaves": (
        "tableau",
        "            elif letter >> member & 1:\n",
        "            else:\n",
    ),
    "K0: both parts of a conjunction": (
        "tableau",
        "yield draft.with_(left, right)\n        elif op == OR",
        "yield draft.with_(left)\n        elif op == OR",
    ),
    "K0: X is about the next node": ("tableau", "yield draft.later(left)", "yield draft"),
    "K0: U needs its left side": (
        "tableau",
        "yield draft.with_(left).later(member)\n",
        "yield draft.later(member)\n",
    ),
    "K0: U may be put off": (
        "tableau",
        "            if not self._is(right, letter, True):\n                yield draft.with_(left).later(member)\n",
        "",
    ),
    "K0: R needs its right side": (
        "tableau",
        "yield draft.with_(right).later(member, ends=True)",
        "yield draft.later(member, ends=True)",
    ),
    "K0: R may go on": (
        "tableau",
        "            if not self._is(left, letter, True):\n                yield draft.with_(right).later(member, ends=True)\n",
        "",
    ),
    "K0: both ways of a disjunction": (
        "tableau",
        "            if not only_right:\n                yield draft.with_(left)\n",
        "",
    ),
    "K0: what is put off has no mark": (
        "tableau",
        "if draft.next >> until & 1 and not draft.seen >> self.parts[until][1] & 1",
        "if False",
    ),
    "K0: what is seen has its mark": (
        "tableau",
        " and not draft.seen >> self.parts[until][1] & 1",
        "",
    ),
    "K0: implied branches lead to less": ("tableau", "or one.next & ~other.next ", ""),
    "K0: implied branches test less": (
        "tableau",
        "less = not (one.tests & ~other.tests or one.next",
        "less = not (one.next",
    ),
    "K0: implied branches have the marks": ("tableau", " or other_marks & ~marks)", ")"),
    "K0: implied branches may end": (
        "tableau",
        "return less and one.ends >= other.ends",
        "return less",
    ),
    "K0: no end before X": (
        "tableau",
        "yield draft.later(left)",
        "yield draft.later(left, ends=True)",
    ),
    "K0: no end where U is put off": (
        "tableau",
        "with_(left).later(member)\n",
        "with_(left).later(member, ends=True)\n",
    ),
    "K0: R may end": ("tableau", "later(member, ends=True)", "later(member)"),
    "K0: sure tests are true": (
        "path_values",
        "all(yes >> node & 1 if sure else not no >> node & 1 for",
        "all(not no >> node & 1 for",
    ),
    "K0: possible tests are not false": (
        "path_values",
        "all(yes >> node & 1 if sure else not no >> node & 1 for",
        "all(yes >> node & 1 for",
    ),
    "K0: states that are not listed": (
        "path_values",
        "                if not sure and not (is_end and stop):\n                    yield PathMove(None)\n",
        "",
    ),
    "K1: links are known": (
        "path_values",
        "            if not sure:\n                yield PathMove(None)\n            return\n        entry",
        "            return\n        entry",
    ),
    "K2: the way ends at the exit": (
        "path_rules",
        "if block.operands is None or not block.exits >> stage.exit_pair(at) & 1:",
        "if block.operands is None:",
    ),
    "K2: order": (
        "path_rules",
        "    seen: dict[Vertex, int] = {}\n",
        "    seen: dict[Vertex, int] = dict.fromkeys(block.vertices, 0) if block.kind == WAY else {}\n",
    ),
    "K2: marks of ways": (
        "path_rules",
        "ways[pair] = ways.get(pair, 0) | seen[block.vertices[-1]]",
        "ways[pair] = stage.all_marks",
    ),
    "K3: all marks": (
        "path_rules",
        "if not closed or seen[block.vertices[0]] != stage.all_marks:",
        "if not closed:",
    ),
    "K3: the walk is closed": (
        "path_rules",
        "if not closed or seen[block.vertices[0]] != stage.all_marks:",
        "if seen[block.vertices[0]] != stage.all_marks:",
    ),
    "K3: marks are on the walk": (
        "path_rules",
        "fine, marks = True, marks | move.marks | seen[move.to]",
        "fine, marks = True, stage.all_marks",
    ),
    "K4: no exit is live": (
        "path_rules",
        "if block.operands is None or not block.exits >> stage.exit_pair(at) & 1:",
        "if block.operands is not None and not block.exits >> stage.exit_pair(at) & 1:",
    ),
    "K4: order": (
        "path_rules",
        "    seen: dict[Vertex, int] = {}\n",
        "    seen: dict[Vertex, int] = dict.fromkeys(block.vertices, 0) if block.kind == LIVE else {}\n",
    ),
    "K5: order": (
        "path_rules",
        "    seen: dict[Vertex, int] = {}\n",
        "    seen: dict[Vertex, int] = dict.fromkeys(block.vertices, 0) if block.kind == 0 else {}\n",
    ),
    "K5: values by T": (
        "path_values",
        "at in vertices and not exits & ~instance.true",
        "at in vertices",
    ),
    "K5: descents leave the invocation": (
        "path_rules",
        "inside = move.inside or block.operands is None",
        "inside = True",
    ),
    "K6: closed": (
        "path_rules",
        "            if move.to not in block.marks:\n                return False\n",
        "            if move.to not in block.marks:\n                continue\n",
    ),
    "K6: marks": ("path_rules", "if block.entry is not None and missing:", "if False:"),
    "K6: calls have tables": (
        "path_values",
        "            if callee.exits:\n                yield PathMove(None)\n",
        "",
    ),
    "K6: marks of summaries": (
        "path_values",
        "yield PathMove(Vertex(operands, after, call.back[exit_]), marks | seen)",
        "yield PathMove(Vertex(operands, after, call.back[exit_]), marks)",
    ),
    "K7: nothing is accepted": (
        "path_rules",
        "        if move.to is None:\n            return False\n        if stage.is_exit",
        "        if move.to is None:\n            continue\n        if stage.is_exit",
    ),
    "K7: closed": (
        "path_rules",
        "if to is None or to[0] > part:",
        "if to is None:\n            continue\n        if to[0] > part:",
    ),
    "K7: rank does not grow": ("path_rules", "if to is None or to[0] > part:", "if to is None:"),
    "K7: the mark is not seen": ("path_rules", "else not move.marks >> mark & 1", "else True"),
    "K7: order without a mark": (
        "path_rules",
        "fine = to < stage.rank[at] if mark is None",
        "fine = True if mark is None",
    ),
    "K7: descents": (
        "path_values",
        "        yield PathMove(entry, marks, inside=False)\n",
        "        if sure:\n            yield PathMove(entry, marks, inside=False)\n",
    ),
    "K7: staying where there is no return": (
        "path_values",
        "                yield PathMove(\n                    Vertex(target, after, callee.width + exit_), marks | seen, inside=False\n                )\n",
        "                if sure:\n                    yield PathMove(\n                        Vertex(target, after, callee.width + exit_), marks | seen, inside=False\n                    )\n",
    ),
    "K7: ends where there is no return": (
        "path_values",
        "elif self.may_end(target, after, exit_, sure=sure):",
        "elif sure and self.may_end(target, after, exit_, sure=sure):",
    ),
    "K8: values by F": (
        "path_values",
        "at in block.marks and not exits & ~instance.false",
        "at in block.marks",
    ),
    "K8: false vertices are ranked": (
        "path_values",
        "return at in self.rank and any(",
        "return any(",
    ),
    "K9: T of roots": (
        "path_rules",
        "enumerate((instance.true, instance.false) if instance.root else ())",
        "enumerate((0, instance.false) if instance.root else ())",
    ),
    "K9: F of roots": (
        "path_rules",
        "enumerate((instance.true, instance.false) if instance.root else ())",
        "enumerate((instance.true, 0) if instance.root else ())",
    ),
    "K9: T": ("path_rules", "enumerate((to.true, to.false))", "enumerate((0, to.false))"),
    "K9: F": ("path_rules", "enumerate((to.true, to.false))", "enumerate((to.true, 0))"),
    "K9: staying": ("path_rules", "fine = stays(target, pair, side)", "fine = True"),
    "K9: ends": (
        "path_rules",
        "fine = stage.may_end(to.operands, state, exit_, sure=side == 0) == (side == 0)",
        "fine = True",
    ),
}


@cache
def weaker(name: str) -> Callable:
    """`check_certificates` without that condition."""
    module, old, new = WEAKER[name]
    kept = {each: sys.modules[_PACKAGE + each] for each in _MODULES}
    try:
        for each in _MODULES:
            source = Path(kept[each].__file__).read_text(encoding="utf-8")
            if each == module:
                assert source.count(old) == 1, "the source has changed: write the weaker rule anew"
                source = source.replace(old, new)
            made = ModuleType(_PACKAGE + each)
            sys.modules[_PACKAGE + each] = made
            exec(compile(source, each, "exec"), made.__dict__)
    finally:
        sys.modules.update({_PACKAGE + each: kept[each] for each in _MODULES})
    return made.check_certificates


for _each in _MODULES:
    import_module(_PACKAGE + _each)
