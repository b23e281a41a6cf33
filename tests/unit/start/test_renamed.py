"""Public names that were changed still work for one release, with a warning."""

from __future__ import annotations

import pytest

import pigro
from pigro.lazy_names import renamed_module


def test_the_word_of_a_verdict_is_its_outcome():
    verdict = pigro.check(pigro.kripke({"a": ["a"]}, labels={}, initial="a"), "EX true")
    with pytest.warns(DeprecationWarning, match="Verdict.word is now Verdict.outcome"):
        assert verdict.word == verdict.outcome == "holds"


def test_a_module_under_its_former_name():
    from pigro.engines import contexts, dubslaff2024

    with pytest.warns(DeprecationWarning, match="is now pigro.engines.dubslaff2024"):
        assert contexts.LAZY is dubslaff2024.LAZY


def test_the_native_checker_under_its_former_name():
    from pigro.certificates import native_checker, twin

    with pytest.warns(DeprecationWarning, match="is now pigro.certificates.native_checker"):
        assert twin.check_certificates_natively is native_checker.check_certificates_natively


def test_an_unknown_name_of_a_renamed_module():
    find = renamed_module("pigro.engines.contexts", "pigro.engines.dubslaff2024")
    with pytest.raises(AttributeError, match="nothing_like_it"):
        find("nothing_like_it")
