"""All that `--why-not` says: whole sentences, and the parts that stand in their braces."""

from __future__ import annotations

from enum import StrEnum

_MOST = 5
"""Calls that a sentence names."""


class ReasonSentence(StrEnum):
    """A reason. `format` fills in the names in braces."""

    NOT_GIVEN = "the file is not in the paths that are scanned"
    NOT_SCANNED = "the file is not scanned: {why}"
    NOT_OWN = "tests, examples and code of others are left out by default"
    EXCLUDED = "exclude names it"
    IGNORED_BY_GIT = ".gitignore names it"
    UNREADABLE = "the file can't be read: {error}"

    UNFINISHED = "a limit was reached before an answer"
    COMMENT = "a comment ignores it: {message}"
    TOGETHER = "it is reported together with {file}:{line}: {message}"
    OFF = "the rule is off. To check it, {how}. It {says}: {sentence}"
    SELECT = "give `--select {rule}`"
    LEAVE_OUT = "leave it out of {where}"
    NO_CODE = "there is no code that begins on this line"
    NO_RUN = "no run of the model comes to this line"
    NO_RULE = "no rule asks about this line"

    HOLDS = "no run of the model breaks the rule"
    NOT_AGAIN = "no run of the model takes it again"
    NO_EXCEPTIONS = "; the rule does not ask about runs that an exception ends"
    NOT_FOLLOWED = "; not followed: {calls}"
    NOT_BELIEVED = "; not believed to raise out of the function: {calls}"
    NOT_KNOWN = "not known"
    MORE = "{number:,} more"

    WENT = "at {file}:{line} the object is {went}"
    RETURNED = "returned to the caller, which may release it"
    YIELDED = "yielded to other code, which may release it"
    TAKEN_APART = "in what a `for` takes apart"
    GIVEN = "given to `{call}`, which may release it: {because}"
    USED = "used in `{function}`, which may release it when it is called"
    DELETED = "deleted by its last name"
    STORED = "stored in {names}, which is not followed"
    STORED_OUTSIDE = "stored in {names}, which is not followed out of the function"

    UNKNOWN_CALL = "`{call}` is not known, so no rule follows this call"
    UNFOLLOWED = "`{code}` is not followed, because {because}"
    NO_SOURCE = "its code was not scanned"
    UNKNOWN = "it is not known what is called"
    MANY = "it may be one of {number:,} methods"
    MANAGER = "it is a context manager, and no `with` runs it here"
    GENERATOR = "it is a generator, and no `for` runs it here"
    COROUTINE = "it is a coroutine"
    KEEPS = "it keeps the object, or gets it inside of another one"
    PROPERTY = "it is a property"
    UNKNOWN_LOCK = "it is not known which object that is"
    OTHER_LOCK = "the rule is not about `{lock}`"
    TAKES_LOCK = "it takes a lock, and may hold it while the body of the `with` runs"
    LAMBDA = "the code of a lambda is not followed"

    NO_VARIABLE = "what `{call}` acquires is not followed, because {because}"
    OTHER_OWNER = "it has another owner: it is in memory, or wraps an object that the rule follows"
    IN_TEMPORARY = "it is made in `{folder}`, and who removes that folder removes it, too"
    OF_A_CLASS = "attributes of classes are not followed"
    WITH = "`with` releases it"
    MADE = "it is returned. It is followed where the result of this function gets a name"
    NO_NAME = "it gets no name"
    NO_NAME_GIVEN = "it gets no name. It is given to `{call}`"
    NOT_LOCAL = "it is stored in `{place}`, which is no variable of the function"
    AMONG_OTHERS = "it is put into `{place}`, with other values"
    ONLY_A_PART = "it is only a part of `{place}`, and parts without names are not followed"


def some(calls: list[str]) -> str:
    """The first calls of a list, and how many more there are."""
    more = len(calls) - _MOST
    return ", ".join(
        [*calls[:_MOST], *([ReasonSentence.MORE.format(number=more)] if more > 0 else [])]
    )
