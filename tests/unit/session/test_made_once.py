"""Evidence and certificates are made once, however many outputs show them."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import pigro
from pigro.cli.main import cli


@pytest.fixture
def counted(monkeypatch):
    """How often each of these was called."""
    from pigro.engines import proving
    from pigro.evidence.tree import following

    calls = {"evidence": 0, "paths": 0, "certificates": 0}

    def count(name, home, function):
        real = getattr(home, function)

        def counting(*args, **options):
            calls[name] += 1
            return real(*args, **options)

        monkeypatch.setattr(home, function, counting)

    count("evidence", pigro.evidence, "evidence_of")
    count("paths", following.CertificateFollower, "path")
    count("certificates", proving.CertificateFile, "add")
    return calls


@pytest.mark.parametrize("form", ["text", "json"])
def test_one_search_for_all_outputs(tmp_path, monkeypatch, counted, form):
    monkeypatch.chdir(tmp_path)
    model = pigro.kripke({"a": ["b"], "b": ["c"], "c": ["c"]}, labels={"c": ["p"]}, initial="a")
    pigro.save(model, "app.rsm")
    files = ["--html", "why.html", "--draw", "run.dot", "--certificate", "proofs.cert"]
    command = ["check", "app.rsm", "EF p", "--witness", "--format", form, *files]
    result = CliRunner().invoke(cli, command, prog_name="pigro")
    assert result.exit_code == 0, result.output
    assert counted["evidence"] == 1
    assert counted["paths"] == 1
    assert counted["certificates"] == (1 if form == "text" else 2), "JSON has a file of its own"
    for name in ("why.html", "run.dot", "proofs.cert"):
        assert (tmp_path / name).stat().st_size > 0
