"""Results and evidence with a key that is twice in one object are refused, with file and line."""

from pathlib import Path

import pytest

import pigro
from pigro import InputError

HANDSHAKE = str(Path(__file__).resolve().parents[3] / "examples" / "handshake.parts")


def twice(text: str, key: str) -> str:
    assert f'"{key}": ' in text
    return text.replace(f'"{key}": ', f'"{key}": "nothing", "{key}": ', 1)


def assert_refused(done, key):
    assert (done.exit_code, done.stdout) == (2, "")
    line = next(
        number
        for number, row in enumerate(Path("why.json").read_text().splitlines(), 1)
        if f'"{key}": "nothing"' in row
    )
    assert done.stderr.startswith(f'error[P106]: the key "{key}" is twice in one object')
    assert f"why.json:{line}:" in done.stderr


@pytest.mark.parametrize("formula", ["EF use", "AG !use"])
@pytest.mark.parametrize("key", ["formula", "verdict", "schema", "truth"])
def test_results(run, app, formula, key):
    run("check", app, formula, "--witness", "--format", "json", "--output", "why.json")
    text = Path("why.json").read_text()
    Path("why.json").write_text(twice(text, key))
    assert_refused(run("validate-witness", app, "why.json"), key)


@pytest.mark.parametrize("key", ["formula", "verdict", "schema", "layers"])
def test_strategies(run, key):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    text = Path("why.json").read_text()
    Path("why.json").write_text(twice(text, key))
    assert_refused(run("validate-witness", HANDSHAKE, "why.json"), key)


def test_evidence_in_python():
    with pytest.raises(InputError) as caught:
        pigro.validate("no.rsm", b'{"schema": "pigro.run/1", "schema": "pigro.evidence/1"}')
    assert caught.value.code == "P106"
