"""The library's face: what it shows, and what importing it costs."""

import subprocess
import sys

import pytest

import assayer


def test_every_name_on_the_face_resolves() -> None:
    for name in assayer.__all__:
        assert getattr(assayer, name) is not None
    assert set(assayer.__all__) == set(assayer._HOME)
    assert list(assayer.__all__) == sorted(assayer.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assayer.nothing  # noqa: B018


def test_importing_the_library_imports_nothing_heavy() -> None:
    code = (
        "import sys, assayer; heavy = {'pydantic', 'typer', 'rich', 're2', 'docker', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["typer", "docker"])
def test_judging_needs_no_command_line_and_no_extra(module: str) -> None:
    code = f"import sys; from assayer import ExecutionVerifier; print('{module}' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
