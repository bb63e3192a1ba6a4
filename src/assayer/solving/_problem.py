"""Reads a problem: a file, or a text."""

import hashlib
from pathlib import Path

from pydantic import ValidationError

from assayer.errors import TestsError, UsageError
from assayer.judging import extract_tests
from assayer.schemas import Constraints, ProblemInput, UnitTest

__all__ = ["problem_of_text", "read_problem"]

_MOST_BYTES = 64 << 20


def read_problem(path: Path) -> ProblemInput:
    """The problem in a JSON file.

    Raises:
        UsageError: where it cannot be read, or is none; the message names the field.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}; name a problem's JSON file"
        ) from error
    if len(data) > _MOST_BYTES:
        raise UsageError(f"{path} is larger than {_MOST_BYTES >> 20} MiB; give fewer unit tests")
    try:
        return ProblemInput.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        at = f" ({where})" if where else ""
        said = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{path} is no problem{at}: {said}; mend it") from error


def problem_of_text(text: str, constraints: Constraints | None = None) -> ProblemInput:
    """A problem in prose, with the samples that its text holds for sure.

    Its name is made of its text.

    Raises:
        UsageError: where there is no text.
    """
    if not text.strip():
        raise UsageError("the problem's text is empty; say what is to be solved")
    try:
        found = extract_tests(text).suite
        samples = found.cases if found.entry_kind == "stdio" else ()
    except TestsError:
        samples = ()
    return ProblemInput(
        task_id=f"text-{hashlib.sha256(text.encode()).hexdigest()[:12]}",
        prompt=text,
        constraints=constraints or Constraints(),
        unit_tests=tuple(
            UnitTest(
                input=case.input.decode("utf-8", "replace"),
                output=case.expected.decode("utf-8", "replace"),
            )
            for case in samples
        ),
    )
