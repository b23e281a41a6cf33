"""What `python -m benchmarks` is asked for, looked at before anything runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import report
from benchmarks.drivers.peers import find_peers, versions
from benchmarks.running import select
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from pigro.cli.destination import check_destination
from pigro.diagnostics import InputError, Position, UsageError, did_you_mean, printable
from pigro.engines import Limits
from pigro.formats.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.case import Case
    from benchmarks.suite import Suite

_TIMEOUT = 1800.0
_QUICK_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """The command line."""

    suites: tuple[str, ...]
    quick: bool
    engines: tuple[str, ...]
    peers: tuple[str, ...]
    files: str | None
    store: str
    again: bool
    show: bool
    against: str | None
    repeat: int | None
    timeout: float | None
    memory: int
    form: str
    csv: str | None
    json: str | None
    plots: str | None
    tables: str | None
    fill: tuple[str, ...]

    def named_suites(self) -> list[Suite]:
        """The suites, in their own order. All if none is named, which is for showing only."""
        if not self.suites and not self.show:
            hint = "name suites, or `all`; `python -m benchmarks --list` lists them"
            raise UsageError("P006", "no suite given", hint=hint)
        wanted = set(self.suites) or {"all"}
        return [suite for name, suite in SUITES.items() if "all" in wanted or name in wanted]

    def scope(self) -> StudyScope:
        """What runs may use."""
        default = _QUICK_TIMEOUT if self.quick else _TIMEOUT
        peers = find_peers(self.peers)
        return StudyScope(
            quick=self.quick,
            files=self._folder(),
            peers=peers,
            versions=tuple(versions(peers).items()),
            limits=Limits(self.timeout or default, self.memory),
        )

    def _folder(self) -> Path | None:
        if self.files is None:
            return None
        folder = Path(self.files).absolute()
        if not folder.is_dir():
            raise UsageError("P001", f"there is no folder {printable(self.files)}")
        try:
            str(folder).encode()
        except UnicodeEncodeError:
            message = f"the name of the folder {printable(self.files)} is not UTF-8"
            raise UsageError("P001", message, hint="give a link to it") from None
        return folder

    @property
    def times(self) -> int | None:
        """How often cases are to be measured. None: as suites say."""
        return 1 if self.quick and self.repeat is None else self.repeat

    def plan(self, suites: Sequence[Suite], scope: StudyScope) -> dict[str, list[Case]]:
        """The cases of each suite. An engine that none of them has is a mistake."""
        plan = {suite.name: list(suite.cases(scope)) for suite in suites}
        known = dict.fromkeys(case.runner for cases in plan.values() for case in cases)
        for engine in self.engines:
            if known and engine not in known:
                hint = did_you_mean(engine, known) or f"choose from {', '.join(known)}"
                raise UsageError("P403", f"no suite runs the engine {printable(engine)}", hint=hint)
        return {name: select(cases, self.engines) for name, cases in plan.items()}

    def check(self) -> None:
        """Refuses what could not be written in the end, and options that contradict each other."""
        for option, given in (
            ("--again", self.again), ("--engine", self.engines), ("--quick", self.quick),
            ("--repeat", self.repeat), ("--timeout", self.timeout), ("--peer", self.peers),
            ("--against", self.against),
        ):  # fmt: skip
            if self.show and given:
                hint = "it shows all measurements of the store"
                raise UsageError(
                    "P006", f"--show runs nothing, so {option} is of no use", hint=hint
                )
        outputs = [each for each in (self.csv, self.json, *self.fill) if each is not None]
        for place, output in enumerate(outputs):
            check_destination(output, [self.store])
            others = [self.store, *outputs[:place]]
            if os.path.realpath(output) in map(os.path.realpath, others):
                message = f"can't write {printable(output)}: it is named twice"
                raise UsageError("P003", message)
        for page in self.fill:
            report.check_marks(document(page), SUITES, page)
        if self.plots is not None:
            report.require_matplotlib()
        self._check_peers()
        for needed in (self.store if self.show else None, self.against):
            if needed is not None and not Path(needed).is_file():
                raise UsageError("P001", f"there is no store {printable(needed)}")

    def _check_peers(self) -> None:
        """Refuses a tool that no named suite runs."""
        named = {tool for suite in self.named_suites() for tool in suite.tools}
        for each in self.peers:
            tool = each.partition("=")[0]
            runs = [name for name, suite in SUITES.items() if tool in suite.tools]
            if runs and tool not in named:
                message = f"no suite that you name runs {tool}"
                hint = f"add one that does: python -m benchmarks {runs[0]} ..."
                raise UsageError("P006", message, hint=hint)

    def make_folders(self) -> None:
        """The folders for plots and tables, before anything runs."""
        for folder in filter(None, (self.plots, self.tables)):
            try:
                Path(folder).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                message = f"can't write into {printable(folder)}: {error.strerror}"
                raise UsageError("P003", message) from None


def document(page: str) -> str:
    """A document to fill in."""
    try:
        return read_bytes(page).decode()
    except UnicodeDecodeError:
        position = Position(page)
        raise InputError("P102", "the document is not UTF-8", position=position) from None
