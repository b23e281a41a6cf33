"""Certificates: proofs of verdicts, the file they are in, and two checkers.

`checker.py`, with `reading.py` and `values.py`, checks them, and shares nothing with what makes
them. The rules, and why nothing false passes them, stand in docs/certificate-rules.md.
"""

from pigro.certificates.answers import CertificateResult, Problem
from pigro.certificates.certificate import Certificate, CertificateFile, file_of
from pigro.certificates.checker import check_certificates
from pigro.certificates.reading import Malformed, Mismatch

__all__ = [
    "Certificate",
    "CertificateFile",
    "CertificateResult",
    "Malformed",
    "Mismatch",
    "Problem",
    "check_certificates",
    "file_of",
]
