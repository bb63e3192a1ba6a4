"""Find equal tasks, in one data set or in two, by digests of their statements and tests."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress

from steelyard._python_trees import python_tree
from steelyard.errors import UsageError
from steelyard.judging import loaded
from steelyard.schemas import FaultKind, Task, TaskFinding, TestSuite, WarningKind

_FEW_WORDS = 5
_MOST_CODE = 1 << 16
_EXAMPLES = (">>>", "assert ", "Your code should pass these tests")
"""Beginnings of lines by which data sets add the tests to a statement."""

Digests = dict[str, bytes]
"""By part, `statement` and `tests`; without a part that is empty."""


class Copies:
    """Knows the tasks so far, and those of other data sets.

    Args:
        others: The tasks of other data sets.
    """

    def __init__(self, others: Iterable[Task] = ()) -> None:
        self._earlier: dict[str, dict[bytes, str]] = {"statement": {}, "tests": {}}
        self._others: dict[str, dict[bytes, str]] = {"statement": {}, "tests": {}}
        for task in others:
            origin = task.provenance.file or task.source
            name = f"{task.id} of {origin}" if origin else task.id
            for part, digest in digests_of(task).items():
                self._others[part].setdefault(digest, name)

    def findings(self, task: Task, digests: Digests) -> Iterator[TaskFinding]:
        """Yield the findings about tasks that equal this one, and remember it."""
        outside = {
            part: self._others[part][digest]
            for part, digest in digests.items()
            if digest in self._others[part]
        }
        if outside:
            yield _finding("contaminated", outside)
        first = {
            part: self._earlier[part].setdefault(digest, task.id)
            for part, digest in digests.items()
        }
        known = {part: name for part, name in first.items() if name != task.id}
        if known:
            whole = len(known) == len(digests) and len(set(known.values())) == 1
            yield _finding("duplicate" if whole else "similar", known)


def _finding(kind: FaultKind | WarningKind, known: dict[str, str]) -> TaskFinding:
    names = list(dict.fromkeys(known.values()))
    return TaskFinding(kind=kind, message=f"same {' and '.join(known)} as {' and '.join(names)}")


def digests_of(task: Task, suite: TestSuite | None = None) -> Digests:
    """Return the digests of a task. Only tests that are written out count.

    Args:
        task: The task.
        suite: Its tests, if they are loaded.
    """
    found = {"statement": _of_statement(task)}
    with suppress(UsageError):  # tests that cannot be loaded are another finding
        if suite is None or task.sized_tests:
            suite = loaded(task.model_copy(update={"sized_tests": ()})).suite
        found["tests"] = _of_tests(suite)
    return {part: digest for part, digest in found.items() if digest}


def _of_statement(task: Task) -> bytes:
    """Return a digest of what a task asks for; empty if it has no words.

    White space and case do not count. Of code, only the docstrings do. Lines with tests are left
    out, since each edition of a data set adds others. The class of time or memory that is asked for
    is a part of the question.
    """
    described = _docstrings(task.prompt) or task.prompt
    lines = [line for line in described.splitlines() if not line.strip().startswith(_EXAMPLES)]
    words = "\n".join(lines).casefold().split()
    if len(words) < _FEW_WORDS:
        words = task.prompt.casefold().split()
    if not words:
        return b""
    asked = (task.time_complexity, task.memory_complexity)
    return _digest("\0".join((" ".join(words), *asked)).encode())


def _of_tests(suite: TestSuite) -> bytes:
    """Return a digest of the inputs and outputs of a suite, in any order; empty without cases."""
    if not suite.cases:
        return b""
    cases = sorted(_digest(case.input) + _digest(case.expected) for case in suite.cases)
    return _digest(suite.entry_kind.encode() + b"".join(cases))


def _docstrings(text: str) -> str:
    """Return the docstrings of a text that is Python; empty for any other text."""
    if len(text) > _MOST_CODE or not ('"""' in text or "'''" in text):
        return ""
    try:
        tree = python_tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, documented))
    return "\n".join(filter(None, found))


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
