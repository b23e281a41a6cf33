"""Behind the Python layer: the native core refuses arguments and calls that it can't serve."""

from support.processes.scripts import run


def test_a_certificate_of_another_model():
    out = run("""
        import pigro
        from support.processes.scripts import slow_calls
        from pigro import _core
        from pigro.certificates.certificate import CertificateFile

        large, small = slow_calls(2000), slow_calls(2)
        certificate = pigro.check(large, "EG !goal", certify=True).certificate
        for add in (CertificateFile(small).add, lambda each: _core.LemmaBook(small.core).section(each.proof)):
            try:
                print(len(add(certificate)))
            except ValueError as error:
                print(error)
        CertificateFile(large).add(certificate)
    """)
    assert out == (
        "certificates of several models do not go into one file\n"
        "the certificate is about another model\n"
    )


def test_positions_that_are_known_wrongly():
    """Roots can't be left out, and `maybe` is no colour to start from."""
    out = run("""
        from array import array
        from pigro import _core

        formula = _core.ModalFormula(
            array("B", [9, 7, 10]), array("i", [1, 2, 0]), array("i", [-1] * 3), array("i", [0] * 3), 0
        )

        def game(known):
            made = _core.PartGame(
                formula, array("i", [0, 1]), array("i", [0]), array("i", [0]), array("B", [1]), [], b"",
                array("B", [1]), array("B", [0]), b"", [], b"", [0], array("B", known),
            )
            made.solve()
            return made.colours()[made.roots[0]]

        for known in ([3, 4, 4], [4, 2, 4], [4, 8, 4], [4, 4], [4, 4, 4], [4, 3, 3]):
            try:
                print(known, game(known))
            except ValueError as error:
                print(known, error)
    """)
    wrong, right = out.splitlines()[:4], out.splitlines()[4:]
    assert all(line.endswith("arrays don't fit") for line in wrong)
    assert right == ["[4, 4, 4] 1", "[4, 3, 3] 0"]


ON_THE_FLY = """
    from support.processes.scripts import long_chain, slow_calls
    from pigro import _core
    from pigro.logic import parse
    from pigro.logic.positive import positive_form

    def search_for(model, text):
        form = positive_form(parse(text))
        search = _core.OnTheFly(
            model.core, _core.DeadEnds.STUTTER, None, memoryview(form.ops), memoryview(form.left),
            memoryview(form.right), [model.label_ids[atom] for atom in form.atoms],
        )
        return search, form.root, search.state([], model.initial[0])
"""


def test_runs_that_there_are_not():
    """Only A f has a counterexample, and only where it is false."""
    out = run(
        ON_THE_FLY
        + """
    for text in ("goal | A G goal", "goal", "A F goal", "A G goal"):
        search, root, state = search_for(slow_calls(3), text)
        try:
            print(search.counter_run(root, state)[0] == [state])
        except ValueError as error:
            print(error)
    """
    )
    assert out.splitlines() == [
        "only A f and !A f have a run",
        "only A f and !A f have a run",
        "no run shows that the formula is false",
        "True",
    ]


def test_a_search_that_was_interrupted():
    out = run(
        ON_THE_FLY
        + """
    search, root, state = search_for(long_chain(500_000), "A F (goal & A G goal)")

    def stop(_):
        raise KeyError("stop")

    for tick in (stop, None):
        try:
            print(search.value(root, state, tick))
        except (KeyError, RuntimeError) as error:
            print(error)
    """
    )
    assert out == "'stop'\nthis object was interrupted and can't be used again\n"


def test_a_search_inside_of_its_own_tick():
    out = run(
        ON_THE_FLY
        + """
    search, root, state = search_for(long_chain(500_000), "A F (goal & A G goal)")
    refused = set()

    def tick(_):
        for call in (lambda: search.value(root, state), lambda: search.state([], 0), lambda: search.parts(state)):
            try:
                call()
            except RuntimeError as error:
                refused.add(str(error))

    print(search.value(root, state, tick), *refused)
    """
    )
    assert out == "True this object is in use, by another thread or by the caller\n"


def test_a_batch_inside_of_its_own_tick():
    out = run("""
        from support.processes.scripts import batch_of, flat, slow_calls

        model = slow_calls(4000)
        batch, refused = batch_of(model, "EG !goal"), set()

        def tick(_):
            for call in (lambda: batch.add(*flat(model, "EF goal")), batch.run, lambda: batch.outcome(0)):
                try:
                    call()
                except RuntimeError as error:
                    refused.add(str(error))

        batch.run(tick=tick)
        print(len(batch), batch.outcome(0).holds, *sorted(refused), sep="; ")
    """)
    assert out == (
        "1; [False]; the formula is being checked; this object is in use, by another thread or by the caller\n"
    )


def test_a_game_inside_of_its_own_tick():
    out = run("""
        from array import array
        from pigro import _core

        size = 200_000
        formula = _core.ModalFormula(
            array("B", [9, 7, 10]), array("i", [1, 2, 0]), array("i", [-1] * 3), array("i", [0] * 3), 0
        )
        none = array("B", [])
        game = _core.PartGame(
            formula, array("i", range(size + 1)), array("i", [(i + 1) % size for i in range(size)]),
            array("i", [0] * size), array("B", [1] * size), [], none, array("B", [1]), array("B", [0]), none, [], none, [0],
            none,
        )
        refused = set()

        def tick(_):
            for call in (game.solve, game.open_size, game.colours, game.table, lambda: game.move(0)):
                try:
                    call()
                except RuntimeError as error:
                    refused.add(str(error))

        game.solve(tick)
        print(len(refused), set(game.colours()))
    """)
    assert out == "2 {1}\n"


def test_bounds_beyond_all_numbers():
    out = run("""
        from pigro import _core

        system = _core.Pushdown()
        system.read_lines(b"p <a> --> p <b a>\\np <b> --> p <>\\n")
        system.start_at("p", ["a"])
        standard = _core.Semantics.STANDARD
        for bound in (2**62, -1, 2**30):
            try:
                print(system.split(bound, standard).outcome)
            except ValueError as error:
                print(error)
        print(system.split(100, standard).file.labels.tolist())
    """)
    assert out.splitlines()[:2] == ["a bound of 0 to 2^30 is needed"] * 2
    assert out.splitlines()[2:] == ["SplitOutcome.DONE", "[]"]


def test_an_instance_is_dropped_once():
    out = run("""
        from array import array

        from pigro import _core
        from pigro.formats import pds

        text = b"(p <a>)\\np <a> --> p <b r>\\np <b> --> p <>\\np <r> --> p <a>\\n"
        core = pds.read(text).core
        none = memoryview(array("i", [-1]))
        graph = _core.InstanceGraph(_core.Places(core), memoryview(bytes(1)), none, none, b"\\1" * core.boxes)
        for component in range(core.components):
            graph.add(component, component)
        call = [core.box_component(0), 0, core.callee(0)]
        graph.bind(call)
        graph.drop(call[0])
        for wrong in (lambda: graph.drop(call[0]), lambda: graph.bind(call)):
            try:
                wrong()
            except ValueError as error:
                print(error)
    """)
    assert (
        out.splitlines()
        == ["no such instance, box, place or formula, or a set of another size"] * 2
    )


def test_a_run_wants_its_instances_and_an_until():
    out = run("""
        from array import array

        from pigro import _core
        from pigro.formats import pds
        from pigro.logic.simplify import ATOM, EU

        text = b"(p <a>)\\np <a> --> p <b r>\\np <b> --> p <>\\np <r> --> p <a>\\n"
        core = pds.read(text).core
        left, right = memoryview(array("i", [0, 0])), memoryview(array("i", [-1, 0]))
        places, ops = _core.Places(core), memoryview(bytes([ATOM, EU]))
        graph = _core.InstanceGraph(places, ops, left, right, b"\\3" * core.boxes)
        for component in range(core.components):
            graph.add(component, component)
        until = _core.UntilRun(graph, False, True)
        for wrong in (
            lambda: until(0, [0]),
            lambda: until(2, [0]),
            lambda: until(1, [0, core.components]),
            lambda: until(1, [-1]),
            lambda: graph.list_callers([core.box_component(0), 0, core.callee(0)]),
            lambda: graph.set(0, 1, b"\\xff" * 8, b"\\xff" * 8),
            lambda: graph.set_context(0, 1, bytes(16), bytes(8)),
        ):
            try:
                print(wrong())
            except ValueError as error:
                print(error)
        group = list(range(core.components))
        print(len(until(1, group + group)), until(1, group))  # boxes call nothing yet: all fails
    """)
    lines = out.splitlines()
    assert lines[:-1] == ["no such instance, box, place or formula, or a set of another size"] * 7
    assert lines[-1].endswith(" []")
