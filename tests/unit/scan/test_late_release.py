"""Template must-release with `release_late`: a wait that gives up leaves the process running."""

import textwrap

import pytest

from pigro.diagnostics import InputError
from pigro.rules import built_in, read_rules
from pigro.scan.scanning import scan_paths

PAIRS = {
    "a process that is killed": (
        """
        def f(c):
            p = subprocess.Popen(c)
            p.communicate(timeout=5)  # here
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                p.kill()
                raise
        """,
    ),
    "a wait without a limit": (
        """
        def f(c):
            p = subprocess.Popen(c)
            p.wait(5)  # here
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            p.wait(timeout=None)
        """,
    ),
    "an input is no limit": (
        """
        def f(c):
            p = subprocess.Popen(c)
            p.communicate(b"", 5)  # here
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            p.communicate(b"")
        """,
    ),
    "another wait": (
        """
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.wait(timeout=5)  # here
            except subprocess.TimeoutExpired:
                print("slow")
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.wait(timeout=5)
            except subprocess.TimeoutExpired:
                p.wait()
        """,
    ),
    "a handler for another type": (
        """
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.wait(timeout=5)  # here
            except OSError:
                p.kill()
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.wait(timeout=5)
            except subprocess.SubprocessError:
                p.kill()
        """,
    ),
    "a loop that waits again": (
        """
        def f(c):
            p = subprocess.Popen(c)
            while True:
                try:
                    return p.wait(timeout=5)  # here
                except subprocess.TimeoutExpired:
                    break
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            while True:
                try:
                    return p.wait(timeout=5)
                except subprocess.TimeoutExpired:
                    continue
        """,
    ),
    "another call that raises": (
        """
        def f(c):
            p = subprocess.Popen(c)
            open(c)
            p.wait(timeout=5)  # here
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            open(c)
            p.wait()
        """,
    ),
    "a signal by the number of the process": (
        """
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.wait(timeout=5)  # here
            except subprocess.TimeoutExpired:
                print(p.args)
        """,
        """
        def f(c):
            p = subprocess.Popen(c)
            try:
                p.wait(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(os.getpgid(p.pid), 9)
        """,
    ),
    "with waits": (
        """
        def f(c):
            p = subprocess.Popen(c)
            p.wait(timeout=5)  # here
        """,
        """
        def f(c):
            with subprocess.Popen(c) as p:
                p.wait(timeout=5)
        """,
    ),
    "a coroutine": (
        """
        async def f(c):
            p = await asyncio.create_subprocess_exec(c)
            await asyncio.wait_for(p.communicate(), 5)  # here
        """,
        """
        async def f(c):
            p = await asyncio.create_subprocess_exec(c)
            try:
                await asyncio.wait_for(p.communicate(), 5)
            except asyncio.TimeoutError:
                p.kill()
        """,
    ),
    "a coroutine without a limit": (
        """
        async def f(c):
            p = await asyncio.create_subprocess_shell(c)
            await asyncio.wait_for(p.wait(), timeout=5)  # here
        """,
        """
        async def f(c):
            p = await asyncio.create_subprocess_shell(c)
            await asyncio.shield(p.wait())
        """,
    ),
    "a process with another owner": (
        """
        class A:
            def f(self, c):
                p = subprocess.Popen(c)
                p.wait(timeout=5)  # here
        """,
        """
        class A:
            def f(self, c):
                p = self.process = subprocess.Popen(c)
                p.wait(timeout=5)
        """,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_process_that_is_left_running_is_found(name, tmp_path):
    for at, text in enumerate(PAIRS[name]):
        file = tmp_path / f"m{at}.py"
        file.write_text("import asyncio, os, subprocess\n" + textwrap.dedent(text))
        report = scan_paths([str(file)], [built_in()["process-left-on-timeout"]])
        assert not report.errors
        lines = file.read_text().splitlines()
        assert [each.line for each in report.findings] == [
            number for number, line in enumerate(lines, 1) if line.endswith("# here")
        ]


def test_the_run_says_that_the_time_is_over(tmp_path):
    text = "import subprocess\ndef f(c):\n    p = subprocess.Popen(c)\n    p.wait(timeout=5)\n"
    (tmp_path / "m.py").write_text(text)
    [found] = scan_paths([str(tmp_path)], [built_in()["process-left-on-timeout"]]).findings
    assert found.message == "`p` from `subprocess.Popen` goes on when the time of this call is over"
    assert found.steps[-1].note == "if the time is over"


def test_a_pattern_without_a_limit_is_refused():
    text = """
        [rule.r]
        template = "must-release"
        acquire = ["a.b"]
        release = [".kill"]
        release_late = [".wait"]
        """
    with pytest.raises(InputError, match="a pattern in release_late that never matches"):
        read_rules(textwrap.dedent(text), "r.toml")
