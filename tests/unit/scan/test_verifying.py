"""`pigro scan --verify`: an independent checker sees a certificate of each verdict."""

import pytest

from pigro.engines.proving import CertificateCollector, RejectedCertificate
from pigro.limits import Budget
from pigro.scan import asking
from pigro.scan.project.settings import Project, ScanSettings
from pigro.scan.project.whole import RuleSet, ScanOptions, scan_project

from support.samples.leaks import HELPERS, LEAK, SAFE


@pytest.fixture
def scanned(tmp_path, monkeypatch):
    """Scans three programs with every rule."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("a.py", LEAK), ("b.py", HELPERS), ("c.py", SAFE)):
        (tmp_path / name).write_text(text)
    project = Project(tmp_path, ScanSettings())

    def scan(*, verify=True, jobs=1):
        asked = ScanOptions(project, select=["ALL"], verify=verify, jobs=jobs)
        return scan_project(asked, RuleSet(project, ()), Budget(), lambda _: lambda: None)

    return scan


def test_the_findings_are_the_same(scanned):
    plain, proved = scanned(verify=False).report, scanned().report
    assert plain.findings == proved.findings != []
    assert plain.statistics.verified == 0
    # For fd-leak: a proof for the safe site, and for each of two leaks one of the formula, one of
    # its certain form and one of the run. The certain form has one for the safe sites too.
    assert proved.statistics.verified >= 1 + 3 * 2


def test_processes_check_as_many(scanned):
    assert scanned(jobs=2).report.statistics.verified == scanned().report.statistics.verified


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_rejected_certificate_ends_the_scan(jobs, scanned, monkeypatch):
    def rejects(_, verdict):
        raise RejectedCertificate(verdict, "R4: level 0, block 0")

    monkeypatch.setattr(CertificateCollector, "take", rejects)
    with pytest.raises(RejectedCertificate):
        scanned(jobs=jobs)


def test_a_wrong_answer_is_seen(scanned, monkeypatch):
    failing = asking.SiteModel._verify
    monkeypatch.setattr(
        asking.SiteModel, "_verify", lambda self, formula, _: failing(self, formula, set())
    )
    with pytest.raises(Exception, match="P903") as caught:
        scanned()
    assert caught.value.code == "P903"


def test_the_safe_sites_are_proved_too(scanned, monkeypatch):
    claims = []
    proved = asking.SiteModel._proved

    def noting(self, nodes, formula):
        verdict = proved(self, nodes, formula)
        claims.append((len(nodes), verdict.holds))
        return verdict

    monkeypatch.setattr(asking.SiteModel, "_proved", noting)
    scanned()
    assert (1, True) in claims
    assert (1, False) in claims


def test_a_rule_without_its_proofs_is_unfinished(scanned, monkeypatch):
    def too_late(self, verdict):
        self.unverified += 1
        return verdict

    monkeypatch.setattr(CertificateCollector, "take", too_late)
    assert "fd-leak" in scanned().report.unfinished
