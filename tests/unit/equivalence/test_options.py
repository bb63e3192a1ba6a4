"""What a comparison may be told, and what is said of a wrong name."""

import re
from pathlib import Path

import pytest

from steelyard.equivalence import Options
from steelyard.errors import UsageError

DOCS = Path(__file__).parents[3] / "docs" / "compare.md"
ROW = re.compile(r"^\| [^|]+ \| `(\w+)[^|]* \| `([^`]*)`", re.MULTILINE)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("tolerance", "relative"), ("timeout", "test_timeout_s"), ("memory_limit", "memory_mib"),
        ("treshold", "threshold"), ("generated", "generate"),
    ],
)  # fmt: skip
def test_a_wrong_name_is_answered_by_the_real_ones(wrong: str, meant: str) -> None:
    with pytest.raises(UsageError) as raised:
        Options.of(**{wrong: 1})
    said = str(raised.value)
    assert said.startswith(f"there is no option {wrong}; use one of {meant}")
    assert all(name in said for name in Options.model_fields)


def test_the_manual_names_each_field_with_its_default() -> None:
    rows = re.findall(
        r"^\| [^|]+ \| `(\w+)[^|]* \| `([^`]*)`", DOCS.read_text("utf-8"), re.MULTILINE
    )
    told = {name: default for name, default in rows if name in Options.model_fields}
    assert told.keys() == Options.model_fields.keys()
    for name, field in Options.model_fields.items():
        assert told[name] == repr(field.default).replace("'", '"')


@pytest.mark.parametrize("path", ["../test_x.py", "tests/../../x"])
def test_tests_are_within_the_project(path: str) -> None:
    for name in ("tests", "inspired"):
        with pytest.raises(UsageError, match="relative to the project"):
            Options.of(**{name: (path,)})
