"""Whether an observed run of a function is a run of its component, by simulation."""

from collections import deque

from pigro.sources.graph import CATCH


class Simulation:
    """A component as an automaton over lines and calls."""

    def __init__(self, component, components):
        self.component, self.components = component, components
        self.line = [_line(component.function, origin) for origin in component.origins]
        self.after = {}
        for source, target in component.edges:
            self.after.setdefault(source, []).append((None, target))
        for box in component.boxes:
            name = components[box.callee].function.name
            for exit_, targets in box.returns.items():
                for source in box.callers:
                    for target in targets:
                        step = (name.rpartition(".")[2], box.entry == "resume", exit_)
                        self.after.setdefault(source, []).append((step, target))
        self.lines = set(self.line)

    def accepts(self, frame, known):
        """Whether the items of a frame can be walked, in order, from an entry to the exit."""
        items = []
        for each in frame.items:
            if isinstance(each, int):
                if each in self.lines and (not items or items[-1] != each):
                    items.append(each)
            elif each.name in known:
                items.append((each.name, each.resumed, each.ended))
        exit_ = self.component.exits[frame.ended]
        states = {(0, 0)}
        if frame.resumed:  # on the line of a `yield`, which is not told again
            resumed = self.after[self.component.entries["resume"]]
            states = {(target, self.line[target]) for _, target in resumed}
        states = self._closed(states)
        for item in items:
            states = self._closed(self._step(states, item))
            if not states:
                return False
        return any(node == exit_ for node, _ in states)

    def _step(self, states, item):
        found = set()
        for node, line in states:
            for step, target in self.after.get(node, ()):
                shown = self.line[target]
                if isinstance(item, int):
                    if step is None and shown == item:
                        found.add((target, item))
                elif step == item:
                    found.add((target, line))
            if isinstance(item, int) and self.line[node] == item:
                found.add((node, item))
        return found

    def _closed(self, states):
        pending, seen = deque(states), set(states)
        while pending:
            node, line = pending.popleft()
            for step, target in self.after.get(node, ()):
                shown = self.line[target]
                if step is None and shown in (0, line) and (target, line) not in seen:
                    seen.add((target, line))
                    pending.append((target, line))
        return seen


def _line(function, origin):
    """The line of a node; 0 for those that CPython tells of in its own way.

    It also tells of handlers that do not match, and not of every `pass`.
    """
    op = function.ops[origin] if origin >= 0 else None
    silent = op is None or op[0] == CATCH
    return 0 if silent else function.at_nodes[origin][0]


def wrong_runs(frame, components, path="m"):
    """The frames of a run that their components do not have. Components by qualified name."""
    pending, wrong = [(frame, None)], []
    by_short = {}
    for key, each in components.items():
        by_short.setdefault(each.function.name.rpartition(".")[2], (key, each))
    while pending:
        each, _ = pending.pop()
        found = by_short.get(each.name)
        if found is None:
            continue
        if not Simulation(found[1], components).accepts(each, by_short):
            wrong.append(each)
        pending += [(item, each) for item in each.items if not isinstance(item, int)]
    return wrong
