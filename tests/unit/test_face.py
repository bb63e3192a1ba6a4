"""The library's face: what it shows, and what importing it costs."""

import subprocess
import sys

import pytest

import steelyard


def test_every_name_on_the_face_resolves() -> None:
    for name in steelyard.__all__:
        assert getattr(steelyard, name) is not None
    assert set(steelyard.__all__) == set(steelyard._HOME)
    assert list(steelyard.__all__) == sorted(steelyard.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        steelyard.nothing  # noqa: B018


def test_importing_the_library_imports_nothing_heavy() -> None:
    code = (
        "import sys, steelyard; heavy = {'pydantic', 'typer', 'rich', 're2', 'docker', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["typer", "docker"])
def test_judging_needs_no_command_line_and_no_extra(module: str) -> None:
    code = f"import sys; from steelyard import ExecutionVerifier; print('{module}' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
