"""Known bugs of path levels, and the native checker without one condition of K0 to K9: for mutants.py.

Each row: the bug, the file, the text there, and what stands in its place.
"""

_TABLES = "paths/path_tables.cpp"
_EXPAND = "paths/path_expand.hpp"
_GRAPH = "paths/path_graph.cpp"
_PATH = "paths/path.cpp"
_IRRELEVANT = "paths/path_irrelevant.cpp"
LEVELS = (
    (
        "summaries have no marks",
        _EXPAND,
        "edge({at.table, node, exit.state}, marks_at(callee, exit));",
        "edge({at.table, node, exit.state}, no_marks_.data());",
    ),
    (
        "marks of the first way only",
        _TABLES,
        "      grown = grown || more_[i] != 0;\n      known[i] |= more_[i];\n",
        "      if (fresh) known[i] |= more_[i];\n",
    ),
    (
        "late marks do not go on",
        _TABLES,
        "    if (!grown) return;\n",
        "    if (!fresh) return;\n",
    ),
    (
        "static exits are those of staying",
        _EXPAND,
        "const Word* exits = query_.statics->reach(at.node, query_).exits;",
        "const Word* exits = query_.statics->stay(at.node, query_).exits;",
    ),
    (
        "a state is settled after one letter",
        _IRRELEVANT,
        "  for (std::size_t from = 0; from < states.size(); ++from) {\n    const std::vector<Branch> next",
        "  for (std::size_t from = 0; from < 0 * states.size(); ++from) {\n    const std::vector<Branch> next",
    ),
    (
        "marks before a step are forgotten",
        _TABLES,
        "more_[i] = ((before == nullptr ? 0 : before[i]) | (marks",
        "more_[i] = ((before == nullptr ? 0 : 0) | (marks",
    ),
    (
        "exits are read where a call returns",
        _EXPAND,
        "    case NodeKind::exit:\n      if (table.role == Role::root) {",
        "    case NodeKind::exit:\n      if (true) {",
    ),
    (
        "descents are left out",
        _GRAPH,
        "  query_.push(edges_, {{steps.called, start.node, start.state}, no_marks_.data()});\n",
        "  (void)start;\n",
    ),
    (
        "every recursion is a hit",
        _GRAPH,
        "  for (std::size_t i = 0; i < mark_words_; ++i) inside[i] |= marks[i];\n  return has_all(inside);",
        "  for (std::size_t i = 0; i < mark_words_; ++i) inside[i] |= marks[i];\n  return true;",
    ),
    (
        "parts are not joined",
        _GRAPH,
        "while (roots_of_parts_.back() > place) {",
        "while (roots_of_parts_.back() > place + 1) {",
    ),
    (
        "a mask has one state",
        _PATH,
        "number(here, {node, bits[i].state})",
        "number(here, {node, bits[i].state}) * 0 + std::max(number(here, {node, kFirst}), 0)",
    ),
    (
        "masks are not found at callers",
        _PATH,
        "    above.starts.push_back({node, exit.state});\n",
        "    if (exit.state != kFirst) continue;\n    above.starts.push_back({node, exit.state});\n",
    ),
    (
        "a missing return node is nothing",
        _EXPAND,
        "    } else if (query_.dead_ends == DeadEnds::stutter) {\n",
        "    } else if (query_.dead_ends == DeadEnds::stutter && exit.state < 0) {\n",
    ),
    (
        "a root's exits do not loop",
        _EXPAND,
        "      if (table.role == Role::root) { // with the empty stack below, the run stays\n",
        "      if (false) {\n",
    ),
    (
        "tests of branches are not made",
        _TABLES,
        "  if (operands == kLoose) return true;\n",
        "  if (operands >= kLoose) return true;\n",
    ),
    (
        "departures are not closed over callers",
        _IRRELEVANT,
        "departures_.insert_with_callers(model_, {component});",
        "departures_.insert(model_, component);",
    ),
    (
        "a letter that stops the first state is no departure",
        _IRRELEVANT,
        "{ return in(branch, row); })) return true;",
        "{ return in(branch, row) || true; })) return true;",
    ),
    (
        "a run that returns is in vain",
        _IRRELEVANT,
        "    return model_.kind(pair.node) == NodeKind::exit && !automaton_",
        "    return model_.kind(pair.node) != NodeKind::exit && automaton_",
    ),
    (
        "an exit of the root does not stay where runs stop",
        _IRRELEVANT,
        "== DeadEnds::stutter || model_.kind(node) == NodeKind::exit;",
        "== DeadEnds::stutter;",
    ),
    (
        "a caller that waits is not accepted",
        _IRRELEVANT,
        "  return has_all(seen.data());\n",
        "  return has_all(seen.data()) && seen.empty();\n",
    ),
    (
        "64 nodes have the letter of the first one",
        "formula/obligations.hpp",
        "      alike &= holds ? columns_[i] : ~columns_[i];\n",
        "",
    ),
)
_RULES = "verify/paths/path_rules.cpp"
_TABLEAU = "verify/paths/tableau.cpp"
_VALUES = "verify/paths/path_values.cpp"
CHECKER = (
    (
        "K0: labels do not decide leaves",
        _TABLEAU,
        "} else if (!has(letter, at)) {",
        "} else if (false) {",
    ),
    (
        "K0: one part of a conjunction",
        _TABLEAU,
        "        draft.add(member.left);\n        draft.add(member.right);\n        break;\n      case Op::either",
        "        draft.add(member.left);\n        break;\n      case Op::either",
    ),
    ("K0: X says nothing", _TABLEAU, "        draft.later(member.left, false);\n", ""),
    (
        "K0: U is never put off",
        _TABLEAU,
        "if (!is(member.right, letter, true)) fork(put_off);",
        "",
    ),
    (
        "K0: R never goes on",
        _TABLEAU,
        "        if (is(member.left, letter, false)) {\n          put_off(draft);\n",
        "        if (is(member.left, letter, false)) {\n          return;\n",
    ),
    (
        "K0: what is put off has its mark",
        _TABLEAU,
        "if (!has(draft.next, until) || has(draft.seen, goal)) core::set_bit",
        "(void)goal, core::set_bit",
    ),
    (
        "K0: one way of a disjunction",
        _TABLEAU,
        "            fork([&](Draft& it) { it.add(member.right); });\n",
        "",
    ),
    (
        "K0: runs end before X",
        _TABLEAU,
        "draft.later(member.left, false);",
        "draft.later(member.left, true);",
    ),
    (
        "K0: unknown tests are true",
        _RULES,
        "side == Side::sure ? test_bit(leaves[leaf].yes, place_of(node)) : !test_bit",
        "side == Side::sure ? !test_bit(leaves[leaf].no, place_of(node)) : !test_bit",
    ),
    (
        "K0: states that are not listed count for nothing",
        _RULES,
        "if (branch.next == Branch::kUnlisted) return side == Side::sure || alone();",
        "if (branch.next == Branch::kUnlisted) return true;",
    ),
    (
        "K1: calls without links count for nothing",
        _RULES,
        "if (target == kNone) return side == Side::sure || alone();",
        "if (target == kNone) return true;",
    ),
    (
        "K2: any exit will do",
        _RULES,
        "    return test_bit(block.exits, place_of(pair));\n",
        "    return pair >= 0;\n",
    ),
    (
        "K3: not all marks",
        _RULES,
        "if (!closed || !has_all(seen(base))) reject",
        "if (!closed) reject",
    ),
    (
        "K3: the walk is not closed",
        _RULES,
        "if (!closed || !has_all(seen(base))) reject",
        "if (!has_all(seen(base))) reject",
    ),
    (
        "K4 and K5: any order",
        _RULES,
        "if (!inside || claimed_[place_of(move.to - first_vertex_)] != block_) return true;",
        "if (!inside) return true;",
    ),
    (
        "K5: values without T",
        _VALUES,
        "if (claims.in_sure.find(b, vertex) != kNone && pairs_within(claims.sure[b].exits, instance.masks.yes, words)) {",
        "if (claims.in_sure.find(b, vertex) != kNone) {",
    ),
    (
        "K6: not closed",
        _RULES,
        "        if (to == kNone) return false;\n",
        "        if (to == kNone) return true;\n",
    ),
    (
        "K6: marks are not carried on",
        _RULES,
        "for (std::size_t i = 0; marked && i < words_; ++i) {",
        "for (std::size_t i = 0; false && i < words_; ++i) {",
    ),
    (
        "K6: calls without tables count for nothing",
        _RULES,
        "claims_.table_of.find(0, start) == kNone)) return alone();",
        "claims_.table_of.find(0, start) == kNone)) return true;",
    ),
    (
        "K7: vertices without a rank",
        _RULES,
        "if (move.to == kNone || claims_.vertices[move.to].part == kNone) return false;",
        "if (move.to == kNone || claims_.vertices[move.to].part == kNone) return true;",
    ),
    ("K7: the mark is seen", _RULES, ": !test_bit(move.marks, place_of(part.mark));", ": true;"),
    (
        "K7: any order",
        _RULES,
        "return part.mark == kNone ? to.place < at.place",
        "return part.mark == kNone ? true",
    ),
    (
        "K7: descents are not followed",
        _RULES,
        "        if (move.to_exit) return true;\n",
        "        if (move.to_exit || !move.inside) return true;\n",
    ),
    ("K8: false values without a rank", _VALUES, "  if (at.part == kNone) return false;\n", ""),
    (
        "K9: masks of roots",
        _RULES,
        "if (!stays(instance.operands, at, value)) reject",
        "if (false) reject",
    ),
    (
        "K9: masks of callees",
        _RULES,
        'if (!fine) reject(9, "instance link"',
        'if (false) reject(9, "instance link"',
    ),
)
