"""Callers of bad will, or of bad luck: threads, signals, forks, and calls from inside a tick.

Each script runs in a process of its own and must end with exit code 0 and print nothing on standard
error. The time limit is only there for scripts that hang.
"""

import pytest

from support.processes.scripts import run


def test_arrays_that_change_while_a_model_is_made():
    """Another thread makes an edge lead to no node while the model is validated and made."""
    run("""
        import threading
        import numpy as np
        from pigro import RSM, ModelError

        size = 50_000
        targets = np.arange(1, size + 1, dtype=np.int32) % size
        arrays = dict(
            component_offsets=np.array([0, size], dtype=np.int32),
            node_flags=np.zeros(size, dtype=np.uint8),
            box_offsets=np.zeros(2, dtype=np.int32),
            box_callee=np.zeros(0, dtype=np.int32),
            call_offsets=np.zeros(1, dtype=np.int32),
            call_entries=np.zeros(0, dtype=np.int32),
            return_offsets=np.zeros(1, dtype=np.int32),
            return_exits=np.zeros(0, dtype=np.int32),
            edge_sources=np.arange(size, dtype=np.int32),
            edge_targets=targets,
            labels={},
            initial=[0],
        )
        stop = threading.Event()

        def write():
            while not stop.is_set():
                targets[-1] = 2**30
                targets[-1] = 0

        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        for _ in range(60):
            try:
                RSM.from_arrays(**arrays)
            except ModelError:
                pass
        stop.set()
        thread.join()
    """)


def test_games_do_not_see_changes_of_their_arrays():
    """A tick writes to what the game is made of."""
    out = run("""
        from array import array
        from pigro import _core

        size = 200_000
        formula = _core.ModalFormula(
            array("B", [9, 7, 10]), array("i", [1, 2, 0]), array("i", [-1] * 3), array("i", [0] * 3), 0
        )
        targets = array("i", [(i + 1) % size for i in range(size)])
        ticks = []

        def tick(_):
            ticks.append(0)
            targets[-1000:] = array("i", [2**30] * 1000)

        none = array("B", [])
        game = _core.PartGame(
            formula, array("i", range(size + 1)), targets, array("i", [0] * size), array("B", [1] * size), [],
            none, array("B", [1]), array("B", [0]), none, [], none, [0], none, tick,
        )
        assert ticks
        print(game.nodes)
    """)
    assert out == "600000\n"


def test_checks_inside_of_a_tick():
    """A tick checks the same model, while what its calls can do is searched."""
    out = run("""
        from support.processes.scripts import batch_of, slow_calls

        model, found = slow_calls(4000), []

        def tick(_):
            if not found:
                found.append("begun")
                inner = batch_of(model, "EG !goal")
                inner.run()
                found[:] = [inner.outcome(0).holds]

        batch = batch_of(model, "EG !goal")
        batch.run(tick=tick)
        print(batch.outcome(0).holds, *found)
    """)
    assert out == "[False] [False]\n"


def test_checks_in_a_signal_handler():
    out = run("""
        import signal
        from support.processes.scripts import slow_calls
        from pigro import check

        model, found = slow_calls(4000), []

        def handler(*_):
            signal.setitimer(signal.ITIMER_REAL, 0)
            found.append(check(model, "EG !goal").holds)

        check(slow_calls(2), "EG !goal")  # imports what checks need
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        print(check(model, "EG !goal").holds)
        while not found:
            signal.pause()
        print(*found)
    """)
    assert out == "False\nFalse\n"


def test_a_fork_inside_of_a_tick():
    """The child checks the same model."""
    run("""
        import os
        from support.processes.scripts import batch_of, slow_calls

        model, children = slow_calls(4000), []

        def tick(_):
            if children:
                return
            children.append(os.fork())
            if children[0] == 0:
                inner = batch_of(model, "EG !goal")
                inner.run()
                os._exit(0 if inner.outcome(0).holds == [False] else 1)

        batch_of(model, "EG !goal").run(tick=tick)
        assert os.waitpid(children[0], 0)[1] == 0
    """)


def test_nobody_waits_for_another_thread():
    """The first thread sleeps in its tick until a check by the second is over."""
    run("""
        import threading
        from support.processes.scripts import batch_of, slow_calls
        from pigro import check

        model, ticked, done = slow_calls(4000), threading.Event(), threading.Event()

        def tick(_):
            ticked.set()
            done.wait()

        def second():
            ticked.wait()
            check(model, "EG !goal", timeout=0.1)
            done.set()

        thread = threading.Thread(target=second, daemon=True)
        thread.start()
        batch_of(model, "EG !goal").run(tick=tick)
        thread.join()
    """)


CHECKS = {
    "one job": "batch_of(model, 'EG !goal').run(tick=lambda _: started.set())",
    "two jobs": "batch_of(model, *['EG !goal'] * 4).run(jobs=2, tick=lambda _: started.set())",
    "busy tick": "batch_of(model, 'EG !goal').run(tick=lambda _: (started.set(), sum(range(10**6))))",
    "no tick": "started.set(); batch_of(model, 'EG !goal').run()",
    "on the fly": "started.set(); check(model, 'A F goal', engine='onthefly')",
}


@pytest.mark.parametrize("work", CHECKS.values(), ids=CHECKS)
def test_the_main_thread_ends_before_the_others(work):
    for delay in (0, 0.003, 0.01):
        run(f"""
            import threading, time
            from support.processes.scripts import batch_of, slow_calls
            from pigro import check

            model, started = slow_calls(3000), threading.Event()

            def work():
                while True:
                    {work}

            for _ in range(3):
                threading.Thread(target=work, daemon=True).start()
            started.wait()
            time.sleep({delay})
        """)


def test_checks_while_the_interpreter_ends():
    """By exit handlers, and by the destructor of what a module holds, on the thread that ends it."""
    out = run("""
        import atexit
        from support.processes.scripts import batch_of, slow_calls
        from pigro import check

        model = slow_calls(300)

        class Last:
            def __init__(self):
                self.batch = batch_of(model, "EF goal")

            def __del__(self):
                self.batch.run()
                print(self.batch.outcome(0).holds, flush=True)

        last = Last()
        atexit.register(lambda: print(check(model, "EG !goal").holds, flush=True))
    """)
    assert out == "False\n[True]\n"


def test_ticks_end_with_the_call_that_they_were_given_to():
    """A stack 400,000 calls high takes memory that a tick is told of."""
    out = run("""
        import gc
        from pigro import ModelBuilder, _core
        from pigro.logic import parse
        from pigro.logic.positive import positive_form

        builder = ModelBuilder()
        main = builder.component("main")
        main.entry("start", labels=["p"])
        box = main.box("again", calls="main")
        main.edge("start", box.call("start"))
        model = builder.build(initial="main:start")
        form = positive_form(parse("A G p"))
        search = _core.OnTheFly(
            model.core, _core.DeadEnds.STUTTER, 3, memoryview(form.ops), memoryview(form.left),
            memoryview(form.right), [model.label_ids[atom] for atom in form.atoms],
        )
        told = []
        search.value(form.root, search.state([], 0), told.append)
        before = len(told)
        search.state([0] * 400_000, 0)
        print(len(told) - before)
    """)
    assert out == "0\n"
