"""Each side condition of each rule: a false certificate that breaks it and nothing else.

A checker that skips just that condition would accept the false verdict.
"""

import pytest

from support.certificates.drafts import CHECKERS, rejected_by


@pytest.fixture(params=CHECKERS)
def rejected(request):
    """Asserts that a certificate makes a false claim, and is rejected: for which problem?"""
    return rejected_by(request.param)
