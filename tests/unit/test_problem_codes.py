"""The `type` of each problem document is the address of an entry in the documentation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard import errors

pytest.importorskip("fastapi", reason="needs the extra service")
from steelyard.service._error_responses import Problem, code_of
from steelyard.service._server import _REFUSALS

ROOT = Path(__file__).parents[2]
PAGE = "docs/reference/problems.md"
ENTRIES = dict(
    re.findall(r"^### (\S+)\n\n(\d{3})\. ", (ROOT / PAGE).read_text("utf-8"), re.MULTILINE)
)
OF_THE_LIBRARY = [
    code_of(each)
    for each in map(vars(errors).get, errors.__all__)
    if isinstance(each, type) and issubclass(each, errors.SteelyardError)
]
MADE_BY = {"Problem": 1, "_unauthorized": 0}
"""What makes a problem, and the position of its code."""


def codes_in(source: Path) -> Iterator[str]:
    """Yield a pattern for each code in a file: part of a code may be known only at run time."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id not in MADE_BY or len(node.args) <= MADE_BY[node.func.id]:
            continue
        code = node.args[MADE_BY[node.func.id]]
        if isinstance(code, ast.Constant):
            yield re.escape(str(code.value))
        elif isinstance(code, ast.JoinedStr):
            yield "".join(
                re.escape(part.value) if isinstance(part, ast.Constant) else "[a-z-]+"
                for part in code.values
            )


MADE = [
    *(code for file in (ROOT / "src/steelyard/service").rglob("*.py") for code in codes_in(file)),
    *(re.escape(code.decode()) for _, code in _REFUSALS.values()),
    *OF_THE_LIBRARY,
]


def test_there_are_codes() -> None:
    assert len(set(MADE)) > 60


def test_each_code_has_an_entry() -> None:
    base = [code_of(errors.SteelyardError)]
    missing = [
        code for code in {*MADE} - {*base} if not any(re.fullmatch(code, each) for each in ENTRIES)
    ]
    assert missing == []


def test_each_entry_is_of_a_code() -> None:
    stale = [each for each in ENTRIES if not any(re.fullmatch(code, each) for code in MADE)]
    assert stale == []


def test_the_type_is_the_address_of_the_entry() -> None:
    document = Problem(429, "queue-full", "Too many requests wait", "try again").document("1")
    assert str(document["type"]).endswith(f"/{PAGE}#queue-full")
