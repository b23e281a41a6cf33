"""The run of each finding is evidence that replays on the model, by code of its own."""

import os
from pathlib import Path

from pigro.evidence import evidence_of, replay
from pigro.logic import parse
from pigro.rules.choosing import chosen_rules, known_rules
from pigro.scan import asking
from pigro.scan.scanning import scan_paths

from leaks import HELPERS, LEAK

NAMES = ("ssl.py", "socket.py", "tarfile.py", "tempfile.py", "asyncio", "multiprocessing", "pty.py")


def test_every_run_replays(tmp_path, monkeypatch):
    replayed = []

    def checked(self, start, formula, notes):
        model = self.model.with_initial([self.nodes[start]])
        [verdict] = asking._PROVING.check_all(model, [parse(formula)], budget=self.budget)
        assert verdict.holds is False
        evidence = evidence_of(verdict.certificate)
        replay(model, verdict.certificate.to_bytes(), evidence)
        replayed.append(formula)
        return taken(self, start, formula, notes)

    taken = asking.Asked.run
    monkeypatch.setattr(asking.Asked, "run", checked)
    (tmp_path / "a.py").write_text(LEAK)
    (tmp_path / "b.py").write_text(HELPERS)
    home = Path(os.__file__).parent
    paths = [str(tmp_path), *(str(home / each) for each in NAMES)]
    report = scan_paths(paths, chosen_rules(known_rules(), ["ALL"]))
    assert len(report.findings) >= 2
    assert len(replayed) >= len(report.findings)
