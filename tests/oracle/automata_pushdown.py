"""Automata as path operators on recursive machines, by products with pushdown systems.

`with_automaton` decides `E B`, or `E !B`, for an automaton B: the system of `oracle.star_pushdown` runs
beside the automaton, which reads a state when the system leaves it, and the formula `E G F good` of
CTL* is decided on the product. Nothing here has alternation, ticks or ranks:

* B itself: `good` states are the accepting ones [Bouajjani1997];
* !B of a deterministic B: `E F G !good`;
* !B of any other, by the first proof that automata have complements [Buchi1962]. The *profile* of a word
  says between which states of B it leads, and whether past an accepting one. By Ramsey's theorem every
  endless word is s e e e ... for two profiles with s e = s and e e = e. The complement guesses the two,
  B has no accepting way through them, and each e is `good`.

Where a run ends, its last state is read too: the state after it must be accepting.

Automata are `(starts, accepting, edges)`, with edges `(from, letter, to)`. Regular expressions become
automata by partial derivatives [Antimirov1996], whose states are expressions.
"""

from __future__ import annotations

from itertools import product as tuples

from oracle.star_formula import E, F, G, atom, both, no
from oracle.star_pushdown import Pushdown, Rules, TooLarge, _holds, _with_quantifier

GOOD = atom("good")
SINK = "sink"
MATCHED = "matched"
TRUE = ("true",)
EMPTY = ("star", ("none",))
MOST = 150
"""Nodes of a product, at all stack symbols together. Those that are larger take long."""


class Automaton:
    """Reads the letters that are true in a state. Every state of it reads everything."""

    def __init__(self, automaton):
        self.starts, accepting, edges = automaton
        self.accepting = set(accepting)
        self.letters = tuple(dict.fromkeys(letter for _, letter, _ in edges))
        self._edges = [(source, self.letters.index(letter), to) for source, letter, to in edges]

    def after(self, state, true):
        """The states after one."""
        return {to for source, letter, to in self._edges if source == state and true[letter]} or {
            SINK
        }

    def is_good(self, state):
        """Whether a run that never ends must come to such states again and again."""
        return state in self.accepting

    def may_end(self, state):
        """Whether a run may end with this state after its last one."""
        return state in self.accepting

    def is_deterministic(self, valuations):
        """Whether there is one way at most."""
        every = states_of(self, valuations)
        few = all(len(self.after(each, true)) == 1 for each in every for true in valuations)
        return few and len(self.starts) == 1


class Complement:
    """Accepts what an automaton does not."""

    def __init__(self, of, valuations):
        self._of, self.letters = of, of.letters
        self._states = sorted(states_of(of, valuations), key=str)
        self._one = {true: self._profile(true) for true in valuations}
        self._pairs = {}
        known = {None: None}
        pending = [None]
        while pending:
            before = pending.pop()
            for one in self._one.values():
                new = self._joined(before, one)
                if new not in known:
                    known[new] = None
                    pending.append(new)
                    if len(known) > 60:
                        raise TooLarge
        words = [each for each in known if each is not None]
        for s, e in tuples(words, words):
            linked = self._joined(s, e) == s and self._joined(e, e) == e
            if linked and not self._is_accepted(s, e):
                self._pairs.setdefault(s, []).append(e)
        self.starts = (("pre", None),)

    def _profile(self, true):
        return frozenset(
            (one, to, self._of.is_good(to))
            for one in self._states
            for to in self._of.after(one, true)
        )

    @staticmethod
    def _joined(before, after):
        if before is None:
            return after
        return frozenset((a, d, x or y) for a, b, x in before for c, d, y in after if b == c)

    def _is_accepted(self, s, e):
        reached = {to for one, to, _ in s if one in self._of.starts}
        return any(one == to and good and one in reached for one, to, good in e)

    def after(self, state, true):
        """The states after one."""
        kind, word = state[0], state[-1]
        new = self._joined(word, self._one[true])
        if kind == "pre":
            return {("pre", new), *(("cut", e, None) for e in self._pairs.get(new, ()))}
        e = state[1]
        return {("loop", e, new), *([("cut", e, None)] if new == e else [])}

    def is_good(self, state):
        """After a cut."""
        return state[0] == "cut"

    def may_end(self, state):
        """Whether the word leads the automaton to no accepting state."""
        ends = {to for one, to, _ in state[-1] or () if one in self._of.starts}
        return state[0] == "pre" and not any(map(self._of.may_end, ends))


def states_of(automaton, valuations):
    """The states that the starts lead to."""
    found, pending = set(automaton.starts), list(automaton.starts)
    while pending:
        state = pending.pop()
        for true in valuations:
            new = automaton.after(state, true) - found
            found |= new
            pending += new
            if len(found) > 40:
                raise TooLarge
    return found


def with_automaton(system, name, automaton, positive, most=400):
    """The system in which the atom `name` is true where `E B`, or else `E !B`, is."""
    reader = Automaton(automaton)
    true = {
        (node, symbol): tuple(_holds(system, each, (node, symbol)) for each in reader.letters)
        for symbol, rules in system.rules.items()
        for node in rules.nodes
    }
    valuations = set(true.values())
    question = E(G(F(GOOD)))
    if not positive and reader.is_deterministic(valuations):
        question = E(F(G(no(GOOD))))
    elif not positive:
        reader = Complement(reader, valuations)
    states = states_of(reader, valuations)
    if len(states) * len(true) > MOST:
        raise TooLarge
    made = Pushdown({}, system.bottom)
    good = made.truth[GOOD] = set()
    for symbol, rules in system.rules.items():
        made.rules[symbol] = _beside(reader, states, symbol, rules, true)
        for node, state in made.rules[symbol].nodes:
            is_good = reader.is_good(state)
            if node in rules.stops:
                is_good = any(map(reader.may_end, reader.after(state, true[node, symbol])))
            if is_good:
                good.add(((node, state), symbol))
    return _projected(system, _with_quantifier(made, question, most), question, reader.starts, name)


def _beside(reader, states, symbol, rules, true):
    """The rules at a symbol, with the states of an automaton beside the nodes."""

    def moved(node):
        return [(one, to) for one in states for to in reader.after(one, true[node, symbol])]

    return Rules(
        [((n, q), (m, t), other) for n, m, other in rules.flat for q, t in moved(n)],
        [((n, q), (m, t), other) for n, m, other in rules.push for q, t in moved(n)],
        [((n, q), (m, t)) for n, m in rules.pop for q, t in moved(n)],
        [(n, q) for n in rules.stops for q in states],
        [(n, q) for n in rules.nodes for q in states],
    )


def _projected(system, decided, question, starts, name):
    """The decided system without the states of the automaton."""

    def once(rows):
        return list(dict.fromkeys((n[0], m[0], *rest) for n, m, *rest in rows))

    found = Pushdown({}, decided.bottom)
    for symbol, rules in decided.rules.items():
        found.rules[symbol] = Rules(
            once(rules.flat),
            once(rules.push),
            once(rules.pop),
            list(dict.fromkeys(node for node, _ in rules.stops)),
            list(dict.fromkeys(node for node, _ in rules.nodes)),
        )
    heads = [(node, symbol) for symbol, rules in found.rules.items() for node in rules.nodes]
    for known, where in system.truth.items():
        found.truth[known] = {(node, both) for node, both in heads if (node, both[0]) in where}
    found.truth[atom(name)] = {
        (node, both)
        for node, both in heads
        if any(((node, start), both) in decided.truth[question] for start in starts)
    }
    return found


def derivatives(expression):
    """The letters that an expression may begin with, and what comes after each."""
    kind = expression[0]
    if kind == "none":
        return []
    if kind == "letter":
        return [(expression[1], EMPTY)]
    if kind == "alt":
        return derivatives(expression[1]) + derivatives(expression[2])
    rest = expression if kind == "star" else expression[2]
    found = [(letter, ("seq", after, rest)) for letter, after in derivatives(expression[1])]
    return found + (derivatives(rest) if kind == "seq" and is_empty(expression[1]) else [])


def is_empty(expression):
    """Whether the empty word matches."""
    kind = expression[0]
    if kind in ("seq", "alt"):
        told = [is_empty(each) for each in expression[1:]]
        return all(told) if kind == "seq" else any(told)
    return kind == "star"


def _explored(expression):
    found, pending = {expression: derivatives(expression)}, [expression]
    while pending:
        for _, after in found[pending.pop()]:
            if after not in found:
                found[after] = derivatives(after)
                pending.append(after)
    return found


def matching(expression, last=None):
    """The automaton of `{r}!`, where the last state of the match also satisfies a formula."""
    edges = [(MATCHED, TRUE, MATCHED)]
    for source, row in _explored(expression).items():
        for letter, after in row:
            edges.append((source, letter, after))
            if is_empty(after):
                edges.append((source, letter if last is None else both(letter, last), MATCHED))
    return (expression,), (MATCHED,), tuple(edges)


def repeating(expression):
    """The automaton of `{r}^w`."""
    edges = []
    for source, row in _explored(expression).items():
        for at in (source, "again") if source == expression else (source,):
            for letter, after in row:
                edges.append((at, letter, after))
                if is_empty(after):
                    edges.append((at, letter, "again"))
    return (expression,), ("again",), tuple(edges)
