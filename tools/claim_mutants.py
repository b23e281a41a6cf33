"""Known bugs of claims, which decide the mu-calculus on recursive models: for mutants.py.

Each row: the bug, the file, the text there, and what stands in its place.
"""

_CLAIMS = "games/claims.cpp"
_VALUES = "games/claim_values.cpp"
_STORE = "games/claim_store.cpp"
_ASSUMPTIONS = "games/assumptions.cpp"
_CLOSURE = "games/closure.cpp"
_WAYS = "games/ways_out.cpp"
CLAIMS = (
    (
        "J1: reliers of a changed claim keep their values",
        _CLAIMS,
        "  for (const Id each : reliers) take_back(each);\n",
        "  for (const Id each : reliers) (void)each;\n",
    ),
    (
        "J2: open claims of lower rank do not come first",
        _CLAIMS,
        "if (!store_.is_open(each) || store_.key(each).rank >= rank) continue;",
        "if (each >= 0) continue;",
    ),
    (
        "J4: open claims below are not queued",
        _CLAIMS,
        "    if (store_.is_open(each)) push(each); // J4\n",
        "",
    ),
    (
        "J5: calls are not told of one more outcome",
        _CLAIMS,
        "    for (const Id each : fresh) notify(each, outcome);\n",
        "",
    ),
    (
        "J5: a call relies on the entry alone",
        _VALUES,
        "    if (assumptions_.assumes(instance, outcome) == value) relied_.push_back(returned(call, outcome));\n",
        "    (void)outcome;\n",
    ),
    (
        "a claim is settled while others are open below",
        _CLAIMS,
        "      found |= store_.is_open(each);\n",
        "",
    ),
    (
        "a call forgets what was seen before it",
        _VALUES,
        "std::max<Id>(call.seen, how.rank) : how.rank;",
        "how.rank : how.rank;",
    ),
    (
        "a call forgets what was seen inside",
        _VALUES,
        "std::max<Id>(call.seen, how.rank) : how.rank;",
        "Id{call.seen} : how.rank;",
    ),
    (
        "claims inside a call do not remember what was seen since the entry",
        _VALUES,
        "return closure_.same_block(formula, before) ? std::max(seen, coming) : coming;",
        "return closure_.same_block(formula, before) ? coming : coming;",
    ),
    (
        "an entry is granted whatever comes back",
        _VALUES,
        "    if (store_.value(back) != value) return false;\n",
        "",
    ),
    (
        "instances do not differ",
        _VALUES,
        "if (store_.value(back) != assumptions_.by_default(outcome)) differs.push_back(outcome);",
        "if (store_.value(back) != assumptions_.by_default(outcome) && back < 0) differs.push_back(outcome);",
    ),
    (
        "an exit of the root returns",
        _VALUES,
        "if (ways_.is_exit(key.node) && !assumptions_.is_root(key.instance)) {",
        "if (ways_.is_exit(key.node)) {",
    ),
    (
        "components that call labels are quiet",
        _CLAIMS,
        "    for (const Id box : model.boxes_calling(component)) add(model.box_component(box));\n",
        "    (void)component;\n",
    ),
    (
        "a quiet call returns by one exit only",
        _VALUES,
        "    if (decides) return;\n    ticker_.poll();\n",
        "    if (decides || last != kNone) return;\n    ticker_.poll();\n",
    ),
    (
        "straight lines go over nodes with labels",
        _VALUES,
        "if (ways_.is_unlisted(node) || test_bit(any_label_.data(), static_cast<std::size_t>(node))) return kNone;",
        "if (ways_.is_unlisted(node)) return kNone;",
    ),
    (
        "U2: wider instances do not ask what narrower ones asked",
        _ASSUMPTIONS,
        "    pending.insert(pending.end(), here.wider.begin(), here.wider.end());\n",
        "",
    ),
    (
        "H1: ranks of a block lose their parity",
        _CLOSURE,
        "    base += (base + least) % 2; // H1",
        "    base += 0 * ((base + least) % 2); // H1",
    ),
    (
        "exits with different successors are one way out",
        _WAYS,
        "classes[at] = split_by.try_emplace({classes[at], {after.begin(), after.end()}}, fresh)",
        "classes[at] = split_by.try_emplace({classes[at], std::vector<Id>(after.size())}, fresh)",
    ),
    (
        "a claim that is taken back keeps its value",
        _STORE,
        "  here.value = here.key.rank % 2 == 0;\n}\n\n} // namespace",
        "}\n\n} // namespace",
    ),
)
