"""An infinite system, given by a program. It counts; at ten it may turn back."""


class Counter:
    """Counts from zero upwards; at ten it may turn back to zero."""

    initial = 0

    def successors(self, state):
        """One more, and at ten also zero."""
        return [0, 11] if state == 10 else [state + 1]

    def labels(self, state):
        """What formulas can ask about."""
        names = {0: "zero", 10: "ten"}
        return [names[state]] if state in names else ["large"] if state > 1000 else []
