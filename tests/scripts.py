"""Import a script that lies outside of the package."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def script(path: str) -> ModuleType:
    """Return a script of the repository as a module; without the script, skip the test."""
    if not (ROOT / path).is_file():
        pytest.skip(f"a source distribution has no {path}")
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
