"""Certificates of path formulas are no source of runs."""

import pytest

import pigro
from pigro.certificates import Malformed
from pigro.evidence.tree.proved import open_certificate


def test_evidence_is_not_read_off_a_certificate_of_ctl_star():
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"b": ["p"]}, initial="a")
    verdict = pigro.check(model, "A [G F p]", certify=True)
    assert verdict.certificate is not None
    assert verdict.evidence is None
    with pytest.raises(Malformed, match="CTL"):
        open_certificate(model, verdict.certificate.to_bytes())
