"""`pigro scan`: exit codes, settings, comments, baseline, changes, and where results go."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from pigro.diagnostics import UsageError
from pigro.scan.project.changes import changes_since
from pigro.sources import front_ends
from pigro.sources.front_ends import FrontEnd
from pigro.sources.graph import Module

from support.samples.leaks import LEAK, SAFE

HELD = """\
import threading, time

lock = threading.Lock()

def refresh(count):
    print(count)
    with lock:
        time.sleep(count)
"""

PAYING = """\
import bank, socket

def pay(address):
    s = socket.socket()
    bank.charge(address)
    s.close()
"""

CHARGED = """\
calls = ["bank.charge"]
types = ["ValueError"]
why = "the account is empty"
"""


@pytest.fixture
def scan(run, tmp_path, monkeypatch):
    """Runs `pigro scan` in a folder of its own, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    return lambda *args: run("scan", *args)


@pytest.fixture
def write(tmp_path):
    def put(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_py", ".py").replace(
                "_toml", ".toml"
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return put


def found(done):
    data = json.loads(done.stdout)
    return [(each["file"], each["line"], each["rule"]) for each in data["findings"]]


def git(*args):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *args], check=True, capture_output=True)


class TestExitCodes:
    def test_no_findings(self, scan, write):
        write(app_py=SAFE)
        done = scan()
        assert (done.exit_code, done.stdout) == (0, "0 findings in 1 file\n")

    def test_findings(self, scan, write):
        write(app_py=LEAK)
        done = scan()
        assert done.exit_code == 1
        assert (
            "warning[fd-leak]: `fd` from `os.open` is not released\n  --> app.py:5:10"
            in done.stdout
        )
        assert "8 : return None  <- then it is not released" in done.stdout

    def test_a_wrong_file_is_told_and_the_rest_is_scanned(self, scan, write):
        write(app_py=LEAK, wrong_py="def f(:\n")
        done = scan()
        assert done.exit_code == 2
        assert "app.py:5:10" in done.stdout
        assert "error[P150]" in done.stderr
        assert "wrong.py:1" in done.stderr

    def test_a_wrong_file_of_rules_is_told_and_other_rules_are_checked(self, scan, write):
        write(app_py=LEAK, team_toml="[rule.x]\ntemplate = 'must-relase'\n")
        done = scan("--rules", "team.toml")
        assert done.exit_code == 2
        assert "app.py:5:10" in done.stdout
        assert "error[P161]" in done.stderr
        assert 'did you mean "must-release"?' in done.stderr

    def test_an_unknown_rule(self, scan, write):
        write(app_py=LEAK)
        done = scan("--select", "fd-laek")
        assert done.exit_code == 2
        assert "error[P162]" in done.stderr

    def test_a_limit(self, scan, write):
        write(app_py=LEAK)
        done = scan("--timeout", "0.000001s")
        assert done.exit_code == 3


class TestSettings:
    def test_the_nearest_file_with_a_table_counts(self, scan, write, monkeypatch, tmp_path):
        write(
            pyproject_toml='[tool.pigro]\nselect = ["socket-leak"]\n',
            inner__pyproject_toml="[project]\nname = 'x'\n",
            inner__app_py=LEAK,
        )
        monkeypatch.chdir(tmp_path / "inner")
        assert scan().exit_code == 0
        assert scan("--select", "fd-leak").exit_code == 1

    def test_rows_of_the_table_of_calls_that_raise(self, scan, write):
        write(app_py=PAYING, pyproject_toml="[tool.pigro]\n")
        assert scan().exit_code == 0
        write(pyproject_toml=f"[[tool.pigro.raises]]\n{CHARGED}")
        assert "if it raises ValueError: the account is empty" in scan().stdout
        assert "the account is empty" in scan("--explain", "raising").stdout
        write(pyproject_toml='[tool.pigro]\nrules = ["r.toml"]\n', r_toml=f"[[raises]]\n{CHARGED}")
        assert "if it raises ValueError: the account is empty" in scan().stdout

    def test_wrong_rows_of_the_table(self, scan, write):
        write(app_py=SAFE, pyproject_toml='[[tool.pigro.never]]\ncals = ["bank.charge"]\n')
        done = scan()
        assert done.exit_code == 2
        assert '[[never]] has an unknown key "cals"' in done.stderr
        assert "pyproject.toml:2:1" in done.stderr
        write(pyproject_toml="[tool.pigro]\nraises = 3\n")
        assert "[[raises]] is not a list of tables" in scan().stderr

    def test_paths_are_relative_to_the_file(self, scan, write, monkeypatch, tmp_path):
        write(pyproject_toml='[tool.pigro]\npaths = ["src"]\n', src__a_py=LEAK, other__b_py=LEAK)
        assert found(scan("--format", "json")) == [("src/a.py", 5, "fd-leak")]
        monkeypatch.chdir(tmp_path / "other")
        assert found(scan("--format", "json")) == [("../src/a.py", 5, "fd-leak")]

    def test_severity_and_own_rules(self, scan, write):
        write(
            app_py="import db\n\n\ndef f():\n    c = db.connect()\n    c.ask()\n",
            pyproject_toml='[tool.pigro.rule.db-leak]\ntemplate = "must-release"\n'
            'message = "`{name}` stays open"\nacquire = ["db.connect"]\nrelease = [".close"]\n'
            '[tool.pigro.severity]\ndb-leak = "note"\n',
        )
        done = scan()
        assert done.exit_code == 1
        assert "note[db-leak]: `c` stays open" in done.stdout

    @pytest.mark.parametrize(
        "table, told",
        [
            ("exclud = []", 'did you mean "exclude"?'),
            ("select = 3", "Expected `array`"),
            ("severity = {fd-leak = 'fatal'}", "severity"),
        ],
    )
    def test_wrong_settings(self, scan, write, table, told):
        write(pyproject_toml=f"[tool.pigro]\n{table}\n", app_py=LEAK)
        done = scan()
        assert done.exit_code == 2
        assert "error[P163]" in done.stderr
        assert told in done.stderr

    def test_a_file_that_is_no_toml(self, scan, write):
        write(pyproject_toml="[tool.pigro\n", app_py=LEAK)
        assert "error[P160]" in scan().stderr


class TestFiles:
    def test_tests_and_code_of_others_are_left_out(self, scan, write):
        write(tests__a_py=LEAK, vendor__b_py=LEAK, test_c_py=LEAK, d_py=LEAK)
        assert found(scan("--format", "json")) == [("d.py", 5, "fd-leak")]
        assert len(found(scan("--format", "json", "--all-files"))) == 4
        assert found(scan("--format", "json", "tests")) == [("tests/a.py", 5, "fd-leak")]

    def test_gitignore(self, scan, write, tmp_path):
        write(a_py=LEAK, out__b_py=LEAK, out__kept__c_py=LEAK, gen_x_py=LEAK)
        (tmp_path / ".gitignore").write_text("out/\ngen_*\n[\n")
        assert found(scan("--format", "json")) == [("a.py", 5, "fd-leak")]
        assert len(found(scan("--format", "json", "--no-gitignore"))) == 4

    def test_a_given_path_is_scanned_though_ignored(self, scan, write, tmp_path):
        git("init", "-q", ".")
        write(out__b_py=LEAK, out__deep__c_py=LEAK, out__more__d_py=LEAK)
        (tmp_path / ".gitignore").write_text("out/\n")
        (tmp_path / "out" / ".gitignore").write_text("more\n")
        assert [each[0] for each in found(scan("--format", "json", "out"))] == [
            "out/b.py", "out/deep/c.py",
        ]  # fmt: skip

    def test_a_deeper_gitignore_wins(self, scan, write, tmp_path):
        write(a__x_py=LEAK, a__y_py=LEAK)
        (tmp_path / ".gitignore").write_text("x.py\ny.py\n")
        (tmp_path / "a" / ".gitignore").write_text("!x.py\n")
        assert found(scan("--format", "json")) == [("a/x.py", 5, "fd-leak")]

    def test_exclude(self, scan, write):
        write(a__x_py=LEAK, b__x_py=LEAK)
        assert found(scan("--format", "json", "--exclude", "a/")) == [("b/x.py", 5, "fd-leak")]

    def test_loops_of_links(self, scan, write, tmp_path):
        write(a__x_py=LEAK)
        (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / "a" / "loop.py").symlink_to("loop.py")
        assert found(scan("--format", "json")) == [("a/x.py", 5, "fd-leak")]


class TestComments:
    def test_a_finding_is_ignored(self, scan, write):
        write(app_py=LEAK.replace("RDONLY)", "RDONLY)  # pigro: ignore[fd-leak]"))
        done = scan()
        assert done.exit_code == 0
        assert done.stdout == "0 findings in 1 file (1 ignored by comments)\n"
        assert done.stderr == ""

    def test_of_all_rules(self, scan, write):
        write(app_py=LEAK.replace("RDONLY)", "RDONLY)  # pigro: ignore"))
        assert scan().exit_code == 0

    def test_unused_ones_are_told(self, scan, write):
        text = SAFE.replace("RDONLY)", "RDONLY)  # pigro: ignore[fd-leak, fd-laek, zombie-process]")
        write(app_py=text)
        done = scan()
        assert done.exit_code == 0
        assert "app.py:5: this comment ignores no finding of fd-leak\n" in done.stderr
        assert 'app.py:5: this comment ignores "fd-laek", but there is no such rule' in done.stderr
        assert "zombie" not in done.stderr, "that rule was not checked"

    def test_texts_are_no_comments(self, scan, write):
        write(app_py=LEAK.replace('b"PIGR"', '"# pigro: ignore[fd-leak]"'))
        done = scan()
        assert done.exit_code == 1
        assert done.stderr == ""


class TestBaseline:
    def test_known_findings_are_not_reported(self, scan, write):
        write(app_py=LEAK)
        done = scan("--baseline", "known.json", "--write-baseline")
        assert (done.exit_code, done.stdout) == (0, "")
        write(app_py="# moved\n" + LEAK, new_py=LEAK)
        done = scan("--baseline", "known.json", "--format", "json")
        assert found(done) == [("new.py", 5, "fd-leak")]
        assert json.loads(done.stdout)["known"] == 1

    def test_from_another_folder(self, scan, write, monkeypatch, tmp_path):
        write(pyproject_toml='[tool.pigro]\nbaseline = "known.json"\npaths = ["a"]\n', a__x_py=LEAK)
        scan("--write-baseline")
        monkeypatch.chdir(tmp_path / "a")
        assert scan().exit_code == 0

    def test_findings_that_are_gone_are_told(self, scan, write):
        write(app_py=LEAK)
        scan("--baseline", "known.json", "--write-baseline")
        write(app_py=SAFE)
        assert (
            "1 finding of the baseline known.json can't be found"
            in scan("--baseline", "known.json").stderr
        )

    def test_a_second_fault_of_the_same_text_is_new(self, scan, write):
        write(app_py=LEAK)
        scan("--baseline", "known.json", "--write-baseline")
        twice = LEAK.replace("    head =", "    fd = os.open(path, os.O_RDONLY)\n    head =")
        write(app_py=twice)
        assert scan("--baseline", "known.json").exit_code == 1

    @pytest.mark.parametrize(
        "content", ["", "{}", "[" * 5000, '{"schema": "pigro.baseline/2"}', "\0"]
    )
    def test_wrong_files(self, scan, write, tmp_path, content):
        write(app_py=LEAK)
        (tmp_path / "known.json").write_text(content)
        done = scan("--baseline", "known.json")
        assert done.exit_code == 2
        assert "error[P164]" in done.stderr

    def test_a_missing_file(self, scan, write):
        write(app_py=LEAK)
        done = scan("--baseline", "none.json")
        assert done.exit_code == 2
        assert "--write-baseline" in done.stderr


class TestDiff:
    @pytest.fixture
    def repository(self, write):
        git("init", "-q", "-b", "main", ".")
        write(old_py=LEAK, safe_py=SAFE)
        git("add", ".")
        git("commit", "-q", "-m", "one")

    def test_nothing_changed(self, scan, repository):
        assert scan("--diff").exit_code == 0
        assert scan().exit_code == 1

    def test_a_new_file_and_a_path_after_the_option(self, scan, write, repository):
        write(new_py=LEAK)
        assert found(scan("--format", "json", "--diff")) == [("new.py", 5, "fd-leak")]
        assert found(scan("--format", "json", "--diff", "new.py")) == [("new.py", 5, "fd-leak")]

    def test_a_deleted_line(self, scan, write, repository):
        write(safe_py=SAFE.replace("    try:\n", "    if fd:\n").replace(
            "    finally:\n        os.close(fd)\n", ""))  # fmt: skip
        assert found(scan("--format", "json", "--diff")) == [("safe.py", 5, "fd-leak")]

    def test_a_branch(self, scan, write, repository):
        git("checkout", "-q", "-b", "topic")
        write(new_py=LEAK)
        git("add", ".")
        git("commit", "-q", "-m", "two")
        assert scan("--diff").exit_code == 0
        assert found(scan("--format", "json", "--diff", "main")) == [("new.py", 5, "fd-leak")]

    def test_an_unknown_commit(self, scan, repository):
        done = scan("--diff", "nothing")
        assert done.exit_code == 2
        assert "error[P165]" in done.stderr
        with pytest.raises(UsageError, match="P165"):
            changes_since("--output=x")

    def test_no_repository(self, scan, write, monkeypatch, tmp_path):
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
        write(app_py=LEAK)
        assert "error[P165]" in scan("--diff").stderr

    def test_strange_names(self, scan, repository, tmp_path):
        (tmp_path / 'ä "b".py').write_text("x = 1\n")
        git("add", ".")
        git("commit", "-q", "-m", "two")
        (tmp_path / 'ä "b".py').write_text(LEAK)
        assert found(scan("--format", "json", "--diff")) == [('ä "b".py', 5, "fd-leak")]


UNFOLLOWED = """import threading
lock = threading.Lock()

def outer(other):
    other.before()
    with lock:
        other.back()
        helper(other)
        each = list(rows())
        plain()
    other.after()

def plain():
    with threading.Lock(): print(1)

def helper(other):
    other.work()

def rows():
    yield 1
"""


LOCKED = """\
import contextlib, threading
class A:
    def __init__(self, door):
        self.lock = threading.Lock()
        self.door, self.file = door, open("x")
        self.other = Other(self)
    def f(self):
        with self.lock:
            BODY
    def again(self):
        with self.lock: print(1)
    @property
    def size(self):
        with self.lock: return 1
    @property
    def width(self): return 1
    def plain(self): print(1)
    def rows(self):
        with self.lock: yield 1
    @contextlib.contextmanager
    def managed(self):
        with self.lock: yield 1
    def few(self): yield 1
    @contextlib.contextmanager
    def quiet(self): yield 1
class Other:
    def __init__(self, owner): self.owner = owner
    def back(self): self.owner.again()
class Door:
    def __init__(self, owner): self.owner = owner
    def __enter__(self): self.owner.again()
    def __exit__(self, *args): pass
class Still:
    def __enter__(self): print(1)
    def __exit__(self, *args): pass
def use(lock):
    with lock: print(1)
def show(lock): print(lock)
"""


class TestWhyNot:
    def test_calls_that_are_not_followed(self, scan, write):
        write(app_py=UNFOLLOWED)
        rules = ("--select", "self-deadlock")
        told = scan(*rules, "--why-not", "app.py:6").stdout
        calls = "`other.back` (app.py:7), `helper` (app.py:8), `rows` (app.py:9)"
        assert told.splitlines()[0] == (
            "holds in the model[self-deadlock]: no run of the model takes it again; "
            f"not followed: {calls}"
        )
        assert "not followed" not in scan(*rules, "--why-not", "app.py:14").stdout

    @pytest.mark.parametrize(
        "body, unfollowed, safe",
        [
            ("self.other.back()", "self.other.back", "self.plain()"),
            ("self.size", "self.size", "self.width"),
            ("use(self.lock)", "use", "show(self.lock)"),
            ("with self.door: pass", "with self.door", "with self.file: pass"),
            ("with Door(self): pass", "with", "with Still(): pass"),
            ("m = self.managed()", "self.managed", "with self.quiet(): pass"),
            ("x = list(self.rows())", "self.rows", "for x in self.few(): pass"),
        ],
    )
    def test_a_lock_that_code_outside_of_the_model_may_take_again(
        self, scan, write, body, unfollowed, safe
    ):
        begins = "holds in the model[self-deadlock]: no run of the model takes it again"
        write(app_py=LOCKED.replace("BODY", body))
        told = scan("--select", "self-deadlock", "--why-not", "app.py:8").stdout
        assert told.splitlines()[0] == f"{begins}; not followed: `{unfollowed}` (app.py:9)"
        write(app_py=LOCKED.replace("BODY", safe))
        told = scan("--select", "self-deadlock", "--why-not", "app.py:8").stdout
        assert told.splitlines()[0] == begins

    @pytest.mark.parametrize(
        "line, args, told",
        [
            (7, (), "off[blocking-under-lock]: the rule is off. To check it, give "
             "`--select blocking-under-lock`. It reports: while `lock` is held, something blocks\n"),
            (7, ("--select", "fd-leak"), "To check it, give `--select blocking-under-lock`. It"),
            (7, ("--select", "all", "--ignore", "blocking-under-lock"),
             "To check it, leave it out of `--ignore`. It reports: while"),
            (7, ("--ignore", "all"),
             "leave it out of `--ignore` and give `--select blocking-under-lock`. It reports:"),
            (7, (), "off[self-deadlock]: the rule is off. To check it, give `--select self-deadlock`."
             " It reports nothing: "),
            (5, (), "no site: no rule asks about this line\n"),
        ],
    )  # fmt: skip
    def test_rules_that_are_off(self, scan, write, line, args, told):
        write(app_py=HELD)
        done = scan("--why-not", f"app.py:{line}", *args)
        assert done.exit_code == 0
        assert told in done.stdout

    def test_a_line_without_code_in_a_file_with_deep_code(self, scan, write):
        write(app_py=f"# nothing\nx = a{'.b' * 3000}\n")
        # CPython 3.12 itself reads no code that is as deep as this.
        word = "out of reach" if sys.version_info[:2] == (3, 12) else "no site"
        assert scan("--why-not", "app.py:1").stdout.startswith(f"{word}: ")

    def test_a_line_without_code_in_another_language(self, scan, write, tmp_path, monkeypatch):
        language = FrontEnd("Kotlin", (".kt",), b"kotlin", "support.kotlin")
        monkeypatch.setitem(front_ends.BY_SUFFIX, ".kt", language)
        reader = SimpleNamespace(
            read_module=lambda _data, file, name, *, is_package: Module(
                name, file, is_package, 0, [], []
            )
        )
        monkeypatch.setitem(sys.modules, "support.kotlin", reader)
        (tmp_path / "app.kt").write_text("fun main() {\n")
        assert scan("--why-not", "app.kt:1").stdout.startswith("no site: ")

    def test_a_rule_that_the_settings_switch_off(self, scan, write):
        write(app_py=LEAK, pyproject_toml='[tool.pigro]\nignore = ["fd-leak"]\n')
        told = scan("--why-not", "app.py:5").stdout
        assert told.startswith(
            "off[fd-leak]: the rule is off. To check it, leave it out of `ignore` in pyproject.toml."
            " It reports: `fd` from `os.open` is not released\n"
        )

    def test_beside_rules_that_are_on_only_faults_count(self, scan, write):
        write(app_py=HELD)
        told = scan("--why-not", "app.py:7", "--select", "blocking-under-lock").stdout
        assert told.startswith("reported[blocking-under-lock]")
        assert "off[" not in told
        told = scan("--why-not", "app.py:7", "--select", "self-deadlock").stdout
        assert [each.partition(":")[0] for each in told.split("\n\n")] == [
            "holds in the model[self-deadlock]",
            "off[blocking-under-lock]",
        ]

    def test_no_place(self, scan, write):
        write(app_py=SAFE)
        assert scan("--why-not", "app.py").exit_code == 2


class TestOutput:
    def test_colours(self, scan, write, monkeypatch):
        write(app_py=LEAK)
        assert "\x1b" not in scan().stdout
        assert "\x1b[33;1mwarning[fd-leak]" in scan("--color", "always").stdout

    def test_a_file(self, scan, write, tmp_path):
        write(app_py=LEAK)
        done = scan("--format", "json", "-o", "out.json")
        assert (done.exit_code, done.stdout) == (1, "")
        assert json.loads((tmp_path / "out.json").read_text())["schema"] == "pigro.scan/1"

    def test_explain_every_rule(self, scan):
        for line in scan("--list").stdout.splitlines():
            name = line.split()[0]
            told = scan("--explain", name)
            assert told.exit_code == 0
            assert told.stdout.startswith(f"{name}: ")
            assert "formula   " in told.stdout
