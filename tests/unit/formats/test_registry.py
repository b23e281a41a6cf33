"""Formats: found by content, then by name, and those of other packages."""

from __future__ import annotations

from functools import partial

import pytest

from pigro import InputError, UsageError, check, kripke, load, save
from pigro.diagnostics import render_error
from pigro.formats import registry

from support.samples.plug_ins import TOGGLE, install_plug_in

MODEL = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a package with a format."""
    return partial(install_plug_in, tmp_path, monkeypatch)


def test_a_format_of_another_package(install, tmp_path):
    install(TOGGLE, "toggle = toggle_plugin")
    file = tmp_path / "m.toggle"
    file.write_bytes(b"toggle on off\n")
    model = load(file)
    assert check(model, "AG (on -> AX off)").holds
    save(model, tmp_path / "again.toggle")
    assert (tmp_path / "again.toggle").read_bytes() == file.read_bytes()
    found = registry.format_named("toggle")
    assert (found.origin, found.description) == ("toggle_plugin", "two states, by their names")
    assert [each.name for each in registry.formats()][-1] == "toggle"


@pytest.mark.parametrize("name", ["m", "m.txt", "m.rsm"])
def test_content_counts_more_than_the_name(name, install, tmp_path):
    install(TOGGLE, "toggle = toggle_plugin")
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf\r\n toggle on off")
    assert registry.format_of_content((tmp_path / name).read_bytes(), name).name == "toggle"


def test_the_name_counts_where_content_leaves_a_choice(install, tmp_path):
    install(TOGGLE.replace('b"toggle"', 'b"{"'), "toggle = toggle_plugin")
    assert registry.format_of_content(b"{}", "m.toggle").name == "toggle"
    assert registry.format_of_content(b"{}", "m.rsm").name == "rsm"
    assert registry.format_of_content(b"{}", "m.json").name == "json"
    assert registry.format_of_content(b"{}", "m.txt").name == "rsm"
    assert registry.format_of_content(b"{}", None).name == "rsm"
    assert registry.format_of_content(b"", "M.RSM").name == "rsm"


def test_broken_plug_ins_do_no_harm(install, tmp_path):
    install(
        "raise ZeroDivisionError('at home')",
        "broken = toggle_plugin",
        "missing = no_such_module",
        "rsm = toggle_plugin",
    )
    save(MODEL, tmp_path / "m.txt")
    assert repr(load(tmp_path / "m.txt")) == repr(MODEL)
    assert registry.format_named("rsm").origin == "pigro"
    with pytest.raises(UsageError) as caught:
        load(tmp_path / "m.txt", format="broken")
    assert render_error(caught.value).startswith(
        "error[P019]: the plug-in toggle_plugin of format broken: loading it fails with "
        "ZeroDivisionError: at home\n  hint: this is a fault of the package toggle_plugin"
    )


def test_a_plug_in_is_not_loaded_when_a_built_in_format_fits(install, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_plug_ins", lambda: pytest.fail("looked up"))
    for name in ("m.rsm", "m.json"):
        save(MODEL, tmp_path / name)
        load(tmp_path / name)
        load(tmp_path / name, format="rsm")


def test_formats_by_name(tmp_path):
    save(MODEL, tmp_path / "m.txt", format="json")
    assert b'"schema": "pigro.model/1"' in (tmp_path / "m.txt").read_bytes()
    with pytest.raises(UsageError) as caught:
        load(tmp_path / "m.txt", format="jsn")
    assert str(caught.value) == 'P006: there is no format "jsn"'
    assert caught.value.hint == 'did you mean "json"?'
    with pytest.raises(InputError) as wrong:
        load(__file__, format="rsm")
    assert wrong.value.code == "P103"


def test_no_format(tmp_path):
    (tmp_path / "x.doc").write_bytes(b"hello")
    with pytest.raises(InputError) as caught:
        load(tmp_path / "x.doc")
    assert caught.value.hint.startswith("formats: rsm (.rsm), json (.json)")
    with pytest.raises(UsageError) as refused:
        registry.format_to_write("x.doc")
    assert refused.value.code == "P007"
