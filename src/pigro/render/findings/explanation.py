"""All there is to say about a rule: what it forbids, how to mend it, which formula it becomes.

A template is explained by its formula, and by the keys that a rule of it may have.
"""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.rules.choosing import unknown_rule
from pigro.rules.raising import ANY, built_in_beliefs
from pigro.rules.templates import TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.rules import Rule
    from pigro.rules.raising import RaisingEntry, RaisingTable
    from pigro.rules.templates import RuleTemplate

_LABELS = {
    "acq": "the object is acquired",
    "rel": "the object is released",
    "esc": "the object is given to code that may release it",
    "end": "the function that the question starts in ends",
    "lost": "the last name of the object gets another value",
    "soft": "code from outside raises",
    "odd": "a statement in a `try` raises",
    "do": "the change is made",
    "undo": "the change is undone",
    "thrown": "the body of the `with` raises",
    "bad": "the forbidden thing happens",
    "use": "the value or the object is used",
    "def": "the variable or the attribute gets a value",
    "wild": "code that is not known may assign it",
    "early": "the first of the two calls happens",
    "late": "the second of the two calls happens",
}
KEYS = {
    "acquire": (
        "calls that give an object: `os.open`, `os.pipe[0]` for an element of the result, "
        "`os.pipe[*]` for each"
    ),
    "release": (
        "methods of the object that release it (`.close`), and functions that get it first "
        "(`os.close(@)`)"
    ),
    "release_late": (
        "methods that do not release it if their time is over: `.wait(timeout)`, with the limit "
        "last. `asyncio.wait_for` around them is a limit, too. The rule then asks only about ways "
        "that begin there"
    ),
    "borrow": "functions that use the object and do not keep it: `os.fstat`, `os.*`, `*.look`",
    "paths": (
        "true if the object is the path of a file or folder. `Path(name)` is the same object. A "
        'path that is made from it, such as `os.path.join(folder, "x")`, gives it away when it is '
        "returned, stored in an attribute, or given to unknown code. A function with a word such "
        "as `move` in its name releases it. In the temporary folder of another object, as in "
        "`mkstemp(dir=module.tmpdir)`, it is left to that object"
    ),
    "do": "functions (`os.chdir`) or methods (`.acquire`) that change something",
    "undo": (
        "methods that undo it. The first belongs to the first method of `do`, the second to the "
        "second"
    ),
    "saved": "functions that tell the state from before. It is undone where `do` gets it back",
    "attributes": (
        "true if assignments to attributes count, too. Over `yield` also those to elements and "
        "globals, and in methods of the same object"
    ),
    "cleaning": "words in names of calls that clean up: `self._pop_state()`",
    "locks": "calls that make a lock",
    "what": (
        "`yield`, `await`, `again` (the same lock is taken again) or `call` (one of `bad` is "
        "called)"
    ),
    "bad": (
        "calls that are forbidden: `time.sleep`, `requests.*`, `*.open`, `socket.socket.connect`"
    ),
    "unless": (
        "arguments that make a call no bad one, and neither a method of what it returns: "
        "`os.waitpid(*, os.WNOHANG)`, `queue.Queue.get(block=False)`"
    ),
    "context": "`async`, `init` (`__init__`) or `del` (`__del__`)",
    "shallowest": (
        "the least number of calls down to the bad one: 0 if the function itself calls it"
    ),
    "deepest": "the largest number of calls down to the bad one",
    "use": "methods that use the object",
    "early": "the method that comes first",
    "late": "the method that comes second",
    "formula": (
        "a formula of CTL over labels of `events`, `return` and `raise` at exits, and `soft` "
        "where unknown code raises"
    ),
    "events": (
        "a label for each list of calls. Functions with an event are checked, and a finding is at "
        "the last one"
    ),
    "on": "the exits that count: `return`, `raise` or both",
    "harm": "`stays` or `until collected`. A rule without `severity` is then a warning or a note",
}
"""What rules may say, with the patterns of calls that fit."""
_HARMS = {
    "stays": "stays: nothing mends it while the process runs",
    "until collected": "until collected: the interpreter mends it when the last name goes",
}
_WIDTH = 88
RAISING = "raising"
"""Explains the table of calls that raise, not a rule."""


def explained(known: Mapping[str, Rule], name: str, beliefs: RaisingTable | None = None) -> str:
    """What a rule means, and which formula it becomes. For `raising`: the table of calls.

    For a template: the keys of its rules.
    """
    if name == RAISING:
        return "\n".join(_table(beliefs or built_in_beliefs())) + "\n"
    rule = known.get(name)
    if rule is None and name in TEMPLATES:
        return "\n".join(_keys(TEMPLATES[name])) + "\n"
    if rule is None:
        raise unknown_rule(known, name)
    return "\n".join(_lines(rule, TEMPLATES[rule.template])) + "\n"


def _table(beliefs: RaisingTable) -> Iterator[str]:
    """Which calls are believed to raise."""
    yield from wrap("Rules about ways that an exception takes believe the calls in this table. "
                    "Other calls of code from outside only raise into handlers of the same "
                    "function.", _WIDTH)  # fmt: skip
    rows: dict[RaisingEntry, list[str]] = {}
    methods = {f".{name}": belief for name, belief in beliefs.methods.items()}
    for call, belief in (beliefs.functions | methods).items():
        rows.setdefault(belief, []).append(call)
    for belief, names in sorted(rows.items(), key=lambda row: not row[0].types):
        yield ""
        types = ", ".join("any error" if each == ANY else each for each in belief.types)
        yield printable(f"{types or 'never'}: {belief.why}", 400)
        text = printable(", ".join(names), 10_000)
        yield from (f"  {each}" for each in wrap(text, _WIDTH - 2))


def _keys(template: RuleTemplate) -> Iterator[str]:
    """A template, and what its rules may say."""
    yield from (f"{template.name}: a template of rules", "", *wrap(template.about, _WIDTH), "")
    yield from _formulas(template, template.formula)
    yield from ("", "Keys of its rules:")
    more = ["on"] if template.certain is not None else []
    for key in (*template.events, *template.settings, *more, "harm"):
        needed = "needed: " if key in template.needs else ""
        yield from _row(key, needed + KEYS[key])
    names = ", ".join(f"{{{each}}}" for each in template.placeholders)
    yield from ("", f"A message may name {names}.")


def _lines(rule: Rule, template: RuleTemplate) -> Iterator[str]:
    on = "on by default" if rule.default else f"off by default: --select {rule.id} turns it on"
    yield f"{rule.id}: {rule.severity}, {on}"
    yield ""
    yield from wrap(" ".join(filter(None, (template.about, rule.help))), _WIDTH)
    yield ""
    yield f"message   {printable(rule.message, 400)}"
    if rule.harm:
        yield f"harm      {_HARMS[rule.harm]}"
    yield f"template  {template.name}"
    yield from _formulas(template, rule.settings.get("formula") or template.formula)
    rows = [(kind, ", ".join(patterns)) for kind, patterns in rule.events.items()]
    rows += [(kind, str(value)) for kind, value in rule.settings.items() if kind != "formula"]
    if rows:
        yield ""
        yield "Events and settings of the rule:"
        for kind, text in rows:
            yield from _row(kind, text)
    yield ""
    yield f"To ignore a finding, write `# pigro: ignore[{rule.id}]` on its line."


def _formulas(template: RuleTemplate, formula: object) -> Iterator[str]:
    """The formulas of a template or rule, and what their labels mean."""
    formulas = [("formula", formula)]
    if template.certain is not None:
        formulas.append(("certain", template.certain))
    for word, each in formulas:
        yield f"{word:<9} {printable(str(each), 2000)}"
    if template.certain is not None:
        yield ""
        yield from wrap("If the second formula fails too, the run is certain: it does not need a "
                        "call of unknown code to raise.", _WIDTH)  # fmt: skip
    labels = [each for each in _LABELS if any(_has(text, each) for _, text in formulas)]
    if labels:
        yield ""
        yield "Labels in the formula:"
        for label in labels:
            yield f"  {label:<8}{_LABELS[label]}"


def _row(key: str, text: str) -> Iterator[str]:
    """A key, and what stands behind it."""
    first, *rest = wrap(printable(text, 10_000), _WIDTH - 15) or [""]
    yield f"  {key:<12} {first}"
    yield from (f"{'':<15}{each}" for each in rest)


def _has(formula: object, label: str) -> bool:
    return re.search(rf"\b{label}\b", str(formula)) is not None
