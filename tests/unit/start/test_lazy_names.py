"""Names of packages that are imported when first used."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("pigro", "pigro.evidence", "pigro.model")


@pytest.mark.parametrize("package", PACKAGES)
class TestPackage:
    def test_every_name_is_there(self, package):
        module = importlib.import_module(package)
        names = set(module.__all__) - {"__version__"}
        assert names >= {*imported_for_types(module)}
        for name in names:
            assert getattr(module, name) is not None

    def test_no_name_is_that_of_a_module(self, package):
        """The import of the module would hide the name."""
        module = importlib.import_module(package)
        assert not {each.name for each in pkgutil.iter_modules(module.__path__)} & {*module.__all__}

    def test_unknown_names_are_errors(self, package):
        module = importlib.import_module(package)
        with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
            _ = module.nothing

    def test_dir_lists_the_names(self, package):
        module = importlib.import_module(package)
        assert dir(module) == sorted(module.__all__)


@pytest.mark.parametrize("module", ["replaying", "documents"])
def test_a_module_that_is_loaded_first_hides_no_function(module):
    code = f"""
import pigro.evidence.{module}
from pigro.evidence import document, replay
assert callable(replay) and callable(document)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def imported_for_types(module):
    """The names that the first `if TYPE_CHECKING` imports."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    block = next(each for each in tree.body if isinstance(each, ast.If))
    return [alias.name for each in block.body for alias in each.names]
