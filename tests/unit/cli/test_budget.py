"""The budget of a run ends at its n-th poll, for every n: what is decided is told, and all is right."""

import json
import re
from pathlib import Path

import pytest

import pigro
from pigro.certificates import check_certificates
from pigro.limits import Budget, OutOfMemory, OutOfTime

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FORMULAS = ("EF use", "AF done", "EF (use & EX def)", "E [!use U def]")
MEMORY = OutOfMemory("memory limit of 1 MB")
TIME = OutOfTime("time limit of 1 s")
ALL = ("--certificate", "c", "--html", "h.html", "--draw", "d.dot", "--format", "json")


@pytest.fixture
def ending(monkeypatch):
    """Lets the budget of the next run end at its poll with this number."""

    def install(at, end, module="pigro.session.prepare"):
        class Ending(Budget):
            polls = 0

            def poll(self):
                Ending.polls += 1
                if self.is_over:
                    raise end

            def look(self, _bytes=0):
                self.poll()

            @property
            def is_over(self):
                return Ending.polls >= at

            @property
            def seconds_left(self):
                if self.limits.seconds is None:
                    return None
                Ending.polls += 1
                return 1e-9 if self.is_over and end is TIME else 3600

        monkeypatch.setattr(f"{module}.Budget", Ending)
        return Ending

    return install


def every(run, ending, end, *args, module="pigro.session.prepare"):
    """The results for each number of polls, up to one that all is done with."""
    at = 0
    while True:
        at += 1
        budget = ending(at, end, module)
        result = run(*args)
        assert "Traceback" not in result.stderr
        assert result.exit_code in {0, 1, 3}, result.stderr
        yield result
        if budget.polls < at:
            return


@pytest.mark.parametrize("end", [TIME, MEMORY], ids=["time", "memory"])
@pytest.mark.parametrize("limit", ["--timeout", "--memory"])
@pytest.mark.parametrize("starts", [(), ("--start", "helper:in")], ids=["", "start"])
def test_check(run, app, ending, end, limit, starts):
    """With a limit everything is decided before the first proof; without, formula by formula."""
    limits = (limit, "1h" if limit == "--timeout" else "none")
    right = [each.holds for each in pigro.check_all(model(starts), FORMULAS)]
    args = ("check", app, *FORMULAS, "--witness", *limits, *starts, *ALL)
    seen = set()
    for result in every(run, ending, end, *args):
        if not result.stdout:
            assert "was reached while the input was read; there is no verdict\n" in result.stderr
            assert result.exit_code == 3
            seen.add("none")
            continue
        document = json.loads(result.stdout)
        words = [each["verdict"] for each in document["results"]]
        assert len(words) == len(FORMULAS)
        for word, holds in zip(words, right, strict=True):
            assert word in {"unknown", "holds" if holds else "fails"}
        if limit == "--memory":
            assert "unknown" not in words, "the native core has its own eyes for memory"
        proved = check_files(model(starts), words)
        shown = sum("evidence" in each for each in document["results"])
        told = "\n".join(document["warnings"])
        decided = len(words) - words.count("unknown")
        assert bool(decided - proved) == ("no certificate" in told)
        assert bool(decided - shown) <= ("no evidence" in told)
        seen.add((decided, proved, shown))
    assert "none" in seen
    assert (4, 4, 4) in seen, "all"
    assert (4, 4, 0) in seen or (4, 0, 0) in seen, "verdicts without evidence"


def model(starts):
    found = pigro.load("app.rsm")
    return found.with_initial([found.find(starts[1])]) if starts else found


def check_files(found, words):
    """The page has all verdicts, the certificates are right. How many there are of these."""
    page = Path("h.html").read_text("utf-8")
    told = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert [each["word"] for each in told["verdicts"]] == words
    checked = list(check_certificates(found, Path("c").read_bytes()))
    assert all(each.problem is None for each in checked)
    Path("c").unlink()
    Path("h.html").unlink()
    return len(checked)


@pytest.mark.parametrize("witness", ["--witness", "--no-witness"])
def test_text(run, app, ending, witness):
    seen = set()
    for result in every(run, ending, TIME, "check", app, *FORMULAS, witness, "--timeout", "1h"):
        lines = result.stdout.splitlines()
        seen.add(sum(line.startswith(("holds", "fails")) for line in lines))
    assert seen == {0, 4}


@pytest.mark.parametrize("name", ["mutex.smv", "walk.rsm", "walk.json", "walk.pds"])
def test_every_format_polls_while_it_is_read(run, ending, name):
    if not (EXAMPLES / name).exists():
        pigro.save(pigro.load(EXAMPLES / "walk.rsm"), name)
        path = name
    else:
        path = EXAMPLES / name
    ends = 0
    for result in every(run, ending, TIME, "check", str(path), "AG EF TRUE"):
        ends += "while the input was read" in result.stderr
    assert ends >= 3, "the file, the model, the formula"


@pytest.mark.parametrize("form", ["text", "json"])
def test_compose(run, ending, form):
    args = (str(EXAMPLES / "handshake.parts"), "--witness", "--timeout", "1h", "--format", form)
    complete = run("compose", *args)
    seen = set()
    for result in every(run, ending, TIME, "compose", *args, module="pigro.session.prepare"):
        if not result.stdout:
            assert result.exit_code == 3
            assert "while the input was read" in result.stderr
            continue
        if form == "json":
            found = json.loads(result.stdout)["results"]
            words = [each["verdict"] for each in found]
            seen.add((words.count("unknown"), sum("evidence" in each for each in found)))
            right = [each["verdict"] for each in json.loads(complete.stdout)["results"]]
            assert all(word in {one, "unknown"} for word, one in zip(words, right, strict=True))
    if form == "json":
        count = len(right)
        assert {(count, 0), (0, 0), (0, count)} <= seen


def test_explain(run, app, ending):
    right = json.loads(
        run("explain", app, "EF use", "--at", "helper:in", "--format", "json").stdout
    )
    words = [each["truth"] for each in right["truths"]]
    seen = set()
    args = ("explain", app, "EF use", "--at", "helper:in", "--format", "json", "--timeout", "1h")
    for result in every(run, ending, TIME, *args, module="pigro.limits"):
        if not result.stdout:
            assert result.exit_code == 3
            continue
        found = [each["truth"] for each in json.loads(result.stdout)["truths"]]
        assert all(one in {"unknown", other} for one, other in zip(found, words, strict=True))
        assert result.exit_code == (3 if "unknown" in found else 0)
        seen.add(tuple(found))
    assert tuple(words) in seen
    assert ("unknown",) * len(words) in seen
