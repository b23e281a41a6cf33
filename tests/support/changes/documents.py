"""Damages JSON documents, whatever they say: made by structure, and by what stands elsewhere.

A change takes something from the place of its like: the value of the same key in another object, of this
document or of another one. So most changes leave a document that can be read. `damaged` makes one to four
of them. Nothing here knows what the documents mean.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

JUNK: tuple[Any, ...] = (None, 0, 1, -1, 2**40, 1.5, True, False, "", "x", "true", [], {}, [None])
WORDS = (("holds", "fails"), ("stutter", "stop"), ("standard", "rsmcheck"), ("here", "loop", "pump", "stays", "stops"),
         ("label", "boolean", "path", "run", "claim"))  # fmt: skip
"""Words that stand for each other."""


class Place(NamedTuple):
    """A value inside of a document: what holds it, by which key, and the last key on the way that is a name."""

    holder: Any
    key: Any
    name: str

    @property
    def value(self) -> Any:
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        self.holder[self.key] = value


def places(document: Any, name: str = "") -> Iterator[Place]:
    """All values inside of a document."""
    pending = [(document, name)]
    while pending:
        holder, above = pending.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            place = Place(holder, key, key if isinstance(key, str) else above)
            yield place
            if isinstance(place.value, (dict, list)):
                pending.append((place.value, place.name))


class Damage:
    """Changes one document. `others` are documents to take values from."""

    def __init__(self, rng: Random, document: Any, others: Sequence[Any]) -> None:
        self.rng = rng
        self.document = copy.deepcopy(document)
        self.others = others

    def pick(self, fits: Callable[[Place], bool]) -> Place | None:
        """A place: first one of the names that there are, so that rare places are found too."""
        by_name: dict[str, list[Place]] = {}
        for place in places(self.document):
            if fits(place):
                by_name.setdefault(place.name, []).append(place)
        if not by_name:
            return None
        if self.rng.random() < 0.4:
            return self.rng.choice([each for row in by_name.values() for each in row])
        return self.rng.choice(by_name[self.rng.choice(sorted(by_name))])

    def alike(self, place: Place) -> list[Any]:
        """Other values that stand under the same name, here or in another document."""
        source = (
            self.document
            if self.rng.random() < 0.7 or not self.others
            else self.rng.choice(self.others)
        )
        found = [
            each.value
            for each in places(source)
            if each.name == place.name and isinstance(each.key, str) == isinstance(place.key, str)
        ]
        return [each for each in found if each != place.value]

    # --- changes: each says whether it could be made

    def drop(self) -> bool:
        place = self.pick(lambda at: isinstance(at.holder, list))
        if place is None:
            return False
        del place.holder[place.key]
        return True

    def double(self) -> bool:
        place = self.pick(lambda at: isinstance(at.holder, list))
        if place is None:
            return False
        place.holder.insert(self.rng.randint(0, len(place.holder)), copy.deepcopy(place.value))
        return True

    def swap(self) -> bool:
        place = self.pick(lambda at: isinstance(at.value, list) and len(at.value) > 1)
        if place is None:
            return False
        one, other = self.rng.sample(range(len(place.value)), 2)
        row = place.value
        row[one], row[other] = row[other], row[one]
        return True

    def reverse(self) -> bool:
        place = self.pick(lambda at: isinstance(at.value, list) and len(at.value) > 1)
        if place is None:
            return False
        place.value.reverse()
        return True

    def cut(self) -> bool:
        """A list without its end."""
        place = self.pick(lambda at: isinstance(at.value, list) and bool(at.value))
        if place is None:
            return False
        del place.value[self.rng.randrange(len(place.value)) :]
        return True

    def insert(self) -> bool:
        """Something more in a list, from another one of the same name."""
        place = self.pick(lambda at: isinstance(at.value, list))
        if place is None:
            return False
        rows = [row for row in self.alike(place) if isinstance(row, list) and row]
        if not rows:
            return False
        place.value.insert(
            self.rng.randint(0, len(place.value)),
            copy.deepcopy(self.rng.choice(self.rng.choice(rows))),
        )
        return True

    def exchange(self) -> bool:
        """A value by its like."""
        place = self.pick(lambda _: True)
        others = self.alike(place) if place is not None else []
        if place is None or not others:
            return False
        place.put(copy.deepcopy(self.rng.choice(others)))
        return True

    def exchange_everywhere(self) -> bool:
        """A text or number by its like, wherever it stands: what is said then fits together."""
        place = self.pick(
            lambda at: isinstance(at.value, (str, int)) and not isinstance(at.value, bool)
        )
        others = (
            [each for each in self.alike(place) if type(each) is type(place.value)] if place else []
        )
        if place is None or not others:
            return False
        old, new = place.value, self.rng.choice(others)
        same_name = self.rng.random() < 0.5
        for each in list(places(self.document)):
            if (
                type(each.value) is type(old)
                and each.value == old
                and (not same_name or each.name == place.name)
            ):
                each.put(new)
        return True

    def flip(self) -> bool:
        """A truth value, or a word by one that stands for it."""
        words = {word: row for row in WORDS for word in row}

        def fits(at: Place) -> bool:
            return isinstance(at.value, bool) or (isinstance(at.value, str) and at.value in words)

        place = self.pick(fits)
        if place is None:
            return False
        old = place.value
        new = (
            not old
            if isinstance(old, bool)
            else self.rng.choice([each for each in words[old] if each != old])
        )
        everywhere = self.rng.random() < 0.3
        for each in list(places(self.document)) if everywhere else [place]:
            if type(each.value) is type(old) and each.value == old and each.name == place.name:
                each.put(new)
        return True

    def nudge(self) -> bool:
        place = self.pick(lambda at: isinstance(at.value, int) and not isinstance(at.value, bool))
        if place is None:
            return False
        place.put(place.value + self.rng.choice((-1, 1)))
        return True

    def clear(self) -> bool:
        """Nothing where something was, or something where nothing was."""
        place = self.pick(lambda at: at.value is None or isinstance(at.value, (dict, list)))
        if place is None:
            return False
        if place.value is not None:
            place.put(self.rng.choice((None, type(place.value)())))
            return True
        others = self.alike(place)
        place.put(copy.deepcopy(self.rng.choice(others)) if others else 0)
        return True

    def retext(self) -> bool:
        """A text that differs in little."""
        place = self.pick(lambda at: isinstance(at.value, str) and bool(at.value))
        if place is None:
            return False
        text, at = place.value, self.rng.randrange(len(place.value))
        other = (
            self.rng.choice(text)
            if self.rng.random() < 0.5
            else self.rng.choice("EAXFGUpq!&|() ab01")
        )
        place.put(self.rng.choice((text[:at] + text[at + 1 :], text[:at] + other + text[at + 1 :],
                                   text[:at] + other + text[at:], f"!({text})", f"{text} ")))  # fmt: skip
        return True

    def junk(self) -> bool:
        place = self.pick(lambda _: True)
        if place is None:
            return False
        if isinstance(place.holder, dict) and self.rng.random() < 0.3:
            if self.rng.random() < 0.5:
                del place.holder[place.key]
            else:
                place.holder[self.rng.choice(("more", "note", "proof"))] = self.rng.choice(JUNK)
            return True
        place.put(copy.deepcopy(self.rng.choice(JUNK)))
        return True


CHANGES: dict[str, Callable[[Damage], bool]] = {
    "drop": Damage.drop,
    "double": Damage.double,
    "swap": Damage.swap,
    "reverse": Damage.reverse,
    "cut": Damage.cut,
    "insert": Damage.insert,
    "exchange": Damage.exchange,
    "exchange everywhere": Damage.exchange_everywhere,
    "flip": Damage.flip,
    "nudge": Damage.nudge,
    "clear": Damage.clear,
    "text": Damage.retext,
    "junk": Damage.junk,
}
_WEIGHTS = [3, 2, 2, 1, 1, 2, 5, 4, 4, 3, 1, 2, 1]


def damaged(
    rng: Random,
    document: Any,
    others: Sequence[Any] = (),
    extra: Sequence[Callable[[Random, Any], bool]] = (),
) -> tuple[Any, list[str]]:
    """A changed document, and its change. `extra` are changes that know what they change."""
    at = Damage(rng, document, others)
    done: list[str] = []
    wanted = rng.choice((1, 1, 1, 2, 2, 3, 4))
    for _ in range(20):
        if len(done) == wanted:
            break
        if extra and rng.random() < 0.4:
            change = rng.choice(extra)
            if change(rng, at.document):
                done.append(change.__name__)
            continue
        [kind] = rng.choices(list(CHANGES), _WEIGHTS)
        if CHANGES[kind](at):
            done.append(kind)
    return at.document, done
