"""An infinite system, given by a program: `python examples/counter.py`."""

import pigro


class Counter:
    """Counts from zero upwards; at ten it may turn back, and then runs round from ten to twenty."""

    initial = (0, "up")

    def successors(self, state):
        """One after the other for ever, and a way off at ten."""
        number, way = state
        if way == "round":
            return [(10 if number == 20 else number + 1, "round")]
        return [(10, "round"), (11, "up")] if number == 10 else [(number + 1, "up")]

    def labels(self, state):
        """What formulas can ask about."""
        number, way = state
        return [way, *(["even"] if number % 2 == 0 else []), *(["large"] if number > 1000 else [])]


for formula in (
    "E [G F even & F round]",
    "A [G !large]",
    "E [F (large & X large)]",
    "A [F round]",
):
    verdict = pigro.check(Counter(), formula, timeout=1.0)
    print(f"{verdict.word:<9}{formula}")
    print(f"         {verdict.reason}")
    if verdict.run is not None:
        first, last = verdict.run.states[0], verdict.run.states[-1]
        print(f"         {verdict.stats.states:,} states looked at; a run from {first} to {last}")
