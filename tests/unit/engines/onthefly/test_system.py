"""What a check knows of a system: each state is asked once. What is no system is told so."""

from pathlib import Path

import pytest

from pigro.diagnostics import CheckError, ModelError, UsageError
from pigro.engines.onthefly.system import ExploredSystem

from support.agreement.systems import Graph, check_system


def make(**parts):
    """A system of one state, but for these attributes. None leaves one out."""
    plain = {"initial": 0, "successors": lambda state: [state], "labels": lambda state: []}
    made = type("Mine", (), {})()
    for name, value in (plain | parts).items():
        if value is not None:
            setattr(made, name, value)
    return made


def walk(system):
    explored = ExploredSystem(system)
    explored.successor(0, 0)
    explored.labels(0)
    explored.is_cut(0)
    return explored


def test_states_are_numbered_as_they_are_found():
    explored = ExploredSystem(Graph("a > b c; b > a; c > d b; d"))
    assert explored.states == ["a"]
    assert [explored.successor(0, at) for at in range(3)] == [1, 2, None]
    assert explored.states == ["a", "b", "c"]
    assert [explored.successor(2, at) for at in range(3)] == [3, 1, None]
    assert explored.row(2) == [3, 1]
    assert explored.row(3) == []
    assert explored.asked == 2
    assert explored.labelled == 0


def test_a_state_is_asked_once():
    system = Graph("a:p > b c; b > a; c:q > c", cut="z")
    explored = ExploredSystem(system)
    for _ in range(3):
        for state in range(3):
            for at in range(2):
                explored.successor(state, at)
            explored.labels(state)
            explored.is_cut(state)
    assert set(system.asked.values()) == set(system.labelled.values()) == {1}
    assert explored.asked == explored.labelled == 3
    assert explored.labels(2) == {"q"}


def test_successors_of_a_generator_are_taken_one_by_one():
    taken = []

    def successors(state):
        for each in range(10**9):
            taken.append(each)
            yield each

    explored = ExploredSystem(make(successors=successors))
    assert explored.successor(0, 0) == 0
    assert explored.successor(0, 1) == 1
    assert explored.successor(0, 0) == 0
    assert taken == [0, 1]
    assert check_system(
        make(successors=successors, labels=lambda n: ["p"] * (n == 7)), "EX p"
    ).holds
    assert len(taken) == 2 + 8


def test_dead_ends():
    stays = ExploredSystem(Graph("a"))
    assert [stays.successor(0, at) for at in range(2)] == [0, None]
    assert stays.stuck == {0}
    stops = ExploredSystem(Graph("a", "stop"))
    assert stops.successor(0, 0) is None
    assert stops.stuck == {0}
    loops = ExploredSystem(Graph("a > a"))
    assert [loops.successor(0, at) for at in range(2)] == [0, None]
    assert loops.stuck == set()


def test_dead_ends_as_errors():
    assert check_system(Graph("a:p > b; b", "error"), "AX !p").holds is True, "b is not left"
    with pytest.raises(ModelError, match="P211: a dead end: b has no successors"):
        check_system(Graph("a > b; b", "error"), "AX AX p")
    with pytest.raises(UsageError, match="P006: dead_ends can't be 'maybe'"):
        check_system(Graph("a", "maybe"), "p")


@pytest.mark.parametrize(
    "parts, message, hint",
    [
        (
            {"initial": None},
            "a Mine has no `initial`",
            "a system has `initial`, `successors(state)`",
        ),
        ({"successors": None}, "a Mine has no `successors`", "a system has"),
        ({"labels": None}, "a Mine has no `labels`", "a system has"),
        ({"successors": {0: [1]}}, "`successors` is a dict, not a method", "successors(state)"),
        ({"labels": []}, "`labels` is a list, not a method", "labels(state)"),
        ({"is_cut": True}, "`is_cut` is a bool, not a method", "is_cut(state)"),
        ({"initial": [0]}, "`initial` is a list that can't be hashed", "tuples and frozensets"),
        ({"initial": ({},)}, "`initial` is a tuple that can't be hashed", "tuples and frozensets"),
        ({"successors": lambda n: [{}]}, "a successor is a dict that can't be hashed", "tuples"),
        ({"successors": lambda n: None}, "successors() gave back None", "an empty one"),
        (
            {"successors": lambda n: n + 1},
            "successors() gave back an int",
            "return a list of states",
        ),
        ({"labels": lambda n: None}, "labels() gave back None", "return a list of labels"),
        ({"labels": lambda n: "big"}, 'labels() gave back the one word "big"', 'such as ["big"]'),
        ({"labels": lambda n: ""}, 'labels() gave back the one word ""', "return a list"),
        ({"labels": lambda n: [1]}, "a label is an int", "labels are strings"),
        ({"labels": lambda n: ["p", None]}, "a label is None", "labels are strings"),
    ],
)
def test_objects_that_are_no_system(parts, message, hint):
    with pytest.raises(CheckError) as caught:
        walk(make(**parts))
    assert str(caught.value) == f"P407: not a system: {message}"
    assert hint in caught.value.hint


def test_an_object_without_anything():
    with pytest.raises(CheckError, match="P407"):
        check_system(object(), "p")
    with pytest.raises(CheckError, match="P407: not a system: None has no"):
        check_system(None, "p")


class Own(Exception):
    pass


def fails(error):
    def method(*args):
        raise error

    return method


class Unlucky:
    """A state whose hash is a mistake of its own."""

    def __hash__(self):
        raise TypeError("mine")


class Odd:
    def __iter__(self):
        raise TypeError("mine")


@pytest.mark.parametrize(
    "error", [Own(), TypeError("mine"), StopIteration("mine"), AttributeError("mine")]
)
@pytest.mark.parametrize("method", ["successors", "labels", "is_cut"])
def test_errors_of_the_system_pass_through(method, error):
    with pytest.raises(type(error)) as caught:
        check_system(make(**{method: fails(error)}), "A [G (p | E [X q])] & AX q | AX AX r")
    assert caught.value is error


@pytest.mark.parametrize(
    "parts",
    [
        {"initial": Unlucky()},
        {"successors": lambda n: [Unlucky()]},
        {"successors": lambda n: Odd()},
        {"labels": lambda n: Odd()},
    ],
)
def test_errors_inside_of_what_it_gives_pass_through(parts):
    with pytest.raises(TypeError, match="^mine$"):
        walk(make(**parts))


def test_errors_of_properties_pass_through():
    class Mine(Graph):
        @property
        def initial(self):
            return self.no_such_thing

        @initial.setter
        def initial(self, value):
            pass

    with pytest.raises(AttributeError, match="no_such_thing"):
        check_system(Mine("a"), "p")


def test_errors_of_generators_pass_through():
    def successors(state):
        yield state + 1
        raise Own

    assert check_system(make(successors=successors, labels=lambda n: ["p"] * n), "EX p").holds
    with pytest.raises(Own):
        check_system(make(successors=successors), "EX p")


def test_successors_may_come_as_an_array():
    numpy = pytest.importorskip("numpy")
    system = make(successors=lambda state: numpy.array([0, 1]), labels=lambda state: [f"s{state}"])
    assert check_system(system, "E [G F s1 & G F s0]").holds is True


def test_a_class_is_no_system():
    class Mine:
        initial = 0

    with pytest.raises(CheckError) as error:
        check_system(Mine, "p")
    assert (error.value.code, error.value.message) == ("P407", "not a system: Mine is a class")
    assert error.value.hint == "make one: Mine()"


class MethodForState:
    def initial(self):
        return 0

    def successors(self, state):
        return [state]

    def labels(self, state):
        return []


@pytest.mark.parametrize(
    "system, message",
    [
        (make(successors=lambda state: "xyz"), "successors() gave back a str"),
        (make(labels=lambda state: {"p": False}), "labels() gave back a dict"),
        ("model.rsm", "a str"),
        (Path("model.rsm"), "a PosixPath"),
        (MethodForState(), "`initial` is a method"),
    ],
    ids=["successors", "labels", "name", "path", "initial"],
)
def test_likely_mistakes(system, message):
    with pytest.raises(CheckError) as error:
        check_system(system, "F p")
    assert (error.value.code, error.value.message) == ("P407", f"not a system: {message}")
    assert error.value.hint
