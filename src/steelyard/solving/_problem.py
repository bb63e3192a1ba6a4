"""Read a problem from a file or a text."""

import hashlib
import os
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from steelyard._arguments import checks_arguments
from steelyard.errors import TestsError, UsageError
from steelyard.judging import extract_tests
from steelyard.schemas import Constraints, Limits, ProblemInput, UnitTest

_MOST_MIB = 64
_GENERATOR_MOST_MIB = 1


def as_problem(problem: ProblemInput | Path | str) -> ProblemInput:
    """Return a problem; a `Path` is its JSON file, a `str` its statement in prose.

    Raises:
        UsageError: if it cannot be read, or is not a problem.
    """
    if isinstance(problem, ProblemInput):
        return problem
    if isinstance(problem, Path):
        return read_problem(problem)
    if isinstance(problem, str):
        if "\n" not in problem and os.path.isfile(problem):
            raise UsageError(
                f"got the name of a file, {problem}; give Path({problem!r}) or the problem's text"
            )
        return problem_of_text(problem)
    kind = type(problem).__name__
    raise UsageError(f"problem must be a ProblemInput, the Path of its file, or text, got {kind}")


def within(problem: ProblemInput, limits: Limits | None) -> ProblemInput:
    """Return the problem with those of its limits replaced that are set in `limits`."""
    if limits is None:
        return problem
    names = {"cpu_ms": "runtime_limit", "memory_mib": "memory_limit"}
    given = {
        name: getattr(limits, field)
        for field, name in names.items()
        if field in limits.model_fields_set
    }
    constraints = Constraints.model_validate(problem.constraints.model_dump() | given)
    return problem.model_copy(update={"constraints": constraints})


@checks_arguments
def read_problem(path: Path) -> ProblemInput:
    """Return the problem in a JSON file.

    Raises:
        UsageError: if it cannot be read, or is not a problem; the message names the field.
    """
    data = _content_of(path, _MOST_MIB, "give a problem's JSON file", "remove unit tests")
    try:
        return ProblemInput.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        at = f" ({where})" if where else ""
        fault = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{path} is not a problem{at}: {fault}; fix the file") from error


@checks_arguments
def problem_of_text(text: str, constraints: Constraints | None = None) -> ProblemInput:
    """Return a problem in prose, with the unambiguous samples in its text.

    Its name is derived from its text.

    Raises:
        UsageError: if there is no text, or it is not Unicode.
    """
    if not text.strip():
        raise UsageError("the problem's text is empty; describe the problem to solve")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the problem's text is not UTF-8 at character {error.start + 1}; use UTF-8"
        ) from error
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


def read_generator(path: Path) -> str:
    """Return the text of a user's generator of inputs.

    Raises:
        UsageError: if it cannot be read, is too large, or is not UTF-8.
    """
    data = _content_of(path, _GENERATOR_MOST_MIB, "give another file", "give another file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} cannot be read: it is not UTF-8; save it as UTF-8") from error


def require_plain(problem: ProblemInput) -> None:
    """Make sure that a problem which a program made can be written to an artefact.

    Raises:
        UsageError: if one of its texts holds what UTF-8 cannot.
    """
    try:
        problem.model_dump_json()
    except PydanticSerializationError as error:
        raise UsageError("the problem contains an unpaired surrogate; remove it") from error


def _content_of(path: Path, most_mib: int, unread: str, too_large: str) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read((most_mib << 20) + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in its name
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{path} cannot be read: {why}; {unread}") from error
    if len(data) > most_mib << 20:
        raise UsageError(f"{path} is larger than {most_mib} MiB; {too_large}")
    return data
