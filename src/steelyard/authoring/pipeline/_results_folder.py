"""The folder of an authoring run.

1. `write_results` writes what the run gives: for solve, for judge, and for people.
2. Its subfolder `run` is a run (`steelyard.runs`); `read_author_story` reads it.
"""

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from steelyard._replaced_files import replace
from steelyard.authoring._options import AuthorOptions
from steelyard.authoring.pipeline._view import title_of, view
from steelyard.authoring.specification import statement_of
from steelyard.errors import ArtefactError, SpecificationError, UsageError
from steelyard.families import args_of
from steelyard.inputs import inputs_of
from steelyard.reports import markdown, page
from steelyard.runs import HEAD, Head, Story, read_story
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    AuthorReport,
    Constraints,
    ProblemInput,
    Specification,
    StressSize,
    UnitTest,
    json_text,
)
from steelyard.values import format_of, match_mode_of, parse_type, text_of_answer, text_of_arguments

JOURNAL = "run"
"""The folder of the artefacts inside the folder of the results."""


class AuthorHead(Head):
    """The input of a run."""

    job: Literal["author"] = "author"
    request: str = ""
    """In prose; empty if a specification is given."""
    specification: Specification | None = None
    solutions: tuple[str, ...] = ()
    """The sources of solutions that the author gives."""
    options: AuthorOptions
    no_models: str = ""
    """The reason why no model is asked; empty if models are."""


AuthorStory = Story[AuthorHead, AuthorReport]


def read_author_story(folder: Path) -> AuthorStory:
    """Return the story of a run's folder, or of the folder of its results.

    Raises:
        UsageError: if it holds no authoring run, or an artefact that cannot be read.
    """
    return read_story(journal_in(folder), AuthorHead, AuthorReport)


def journal_in(folder: Path) -> Path:
    """Return the folder of a run's artefacts: the folder itself, or the one inside it."""
    inside = folder / JOURNAL
    return inside if (inside / HEAD).exists() else folder


def results_of(artefacts: Path) -> Path:
    """Return the folder of the results of a run, wherever it is now."""
    named = artefacts if artefacts.name else artefacts.resolve()
    return named.parent


_NEW = ".steelyard-results-"
_RESULTS = (
    "report.md",
    "report.html",
    "specification.json",
    "suite.json",
    "problem.json",
    "solutions",
    "tests",
)


def require_folder(folder: Path) -> Path:
    """Return a folder that results can be written to; it need not exist.

    Raises:
        UsageError: if it is a file, its name cannot be used, or it holds files that are no results
            of an earlier run and that results would replace.
    """
    try:
        str(folder).encode("utf-8")
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is not a folder; choose another one with --out")
        taken = [name for name in _RESULTS if (folder / name).exists()]
        if taken and not (folder / JOURNAL / HEAD).exists():
            raise UsageError(
                f"{folder} holds {' and '.join(taken)}, which no run of author has written; choose "
                "another folder with --out"
            )
    except (ValueError, OSError) as error:
        why = getattr(error, "strerror", None) or "its name is not UTF-8"
        raise UsageError(f"--out cannot be used: {why}; choose another folder") from error
    return folder


def write_results(report: AuthorReport, folder: Path) -> None:
    """Write the results, and then put them in place of those of an earlier run.

    Raises:
        ArtefactError: if they cannot be written; without space the earlier ones stay.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=_NEW, dir=folder))
        try:
            _write_all(report, new)
            for name in _RESULTS:
                replace(new / name, folder / name)
        finally:
            for left in folder.glob(f"{_NEW}*"):  # also of a process that was killed
                shutil.rmtree(left, ignore_errors=True)
    except OSError as error:
        raise ArtefactError(
            f"the results cannot be written to {folder}: {error.strerror}; free disk space, then "
            f"resume with --resume {folder}"
        ) from error


def _write_all(report: AuthorReport, folder: Path) -> None:
    spec, suite = report.specification, report.suite
    title = title_of(report)
    reports = {"md": markdown(title, view(report)), "html": page(title, view(report))}
    for ending, shown in reports.items():
        (folder / f"report.{ending}").write_text(shown, "utf-8", "backslashreplace")
    if spec is None:
        return
    (folder / "specification.json").write_text(f"{json_text(spec, 2)}\n", "utf-8")
    solutions = folder / "solutions"
    solutions.mkdir()
    for solution in report.solutions:
        if solution.fault or solution.agrees is None or not solution.agrees.whole:
            continue
        name = solution.name.replace(" ", "_")
        text = solution.source.encode("utf-8", "backslashreplace")
        (solutions / f"{name}.py").write_bytes(text)
    if suite is None:
        return
    (folder / "suite.json").write_text(f"{json_text(suite, 1)}\n", "utf-8")
    problem = problem_of(report.task_id, spec, suite, report.stress)
    (folder / "problem.json").write_text(f"{json_text(problem, 2)}\n", "utf-8")
    _write_tests(spec, suite.cases, folder / "tests")


def _write_tests(spec: Specification, cases: Sequence[AuthoredCase], folder: Path) -> None:
    """Write cases with an output as calls in one file, and as texts in a folder per category."""
    folder.mkdir()
    with (folder / "calls.jsonl").open("w", encoding="utf-8") as calls:
        for number, case in enumerate(cases, start=1):
            if not case.has_expected:
                continue
            calls.write(f"{json.dumps(_call(spec, case))}\n")
            try:
                given = text_of_arguments(spec, args_of(case.input))
                answer = text_of_answer(spec, case.expected)
            except SpecificationError:  # a value without a text, such as 5,000 digits
                continue
            category = folder / case.category
            category.mkdir(exist_ok=True)
            (category / f"{number:03}.in").write_bytes(given.encode())
            (category / f"{number:03}.ans").write_bytes(answer.encode())


def _call(spec: Specification, case: AuthoredCase) -> dict[str, Any]:
    """Return a case as `load_tests` takes it for `class:Solution.solve`."""
    args = [
        _tagged(parse_type(each.type).value_of(value))
        for each, value in zip(spec.parameters, args_of(case.input), strict=True)
    ]
    expected = _tagged(parse_type(spec.returns).value_of(case.expected))
    call: dict[str, Any] = {"name": case.name, "category": case.category, "args": args}
    if spec.output_type == "in-place":
        return call | {"expected": None, "expected_args": [expected, *args[1:]]}
    return call | {"expected": expected}


def _tagged(value: Any) -> Any:
    """Return a value as JSON; a tuple, a set and an object with other keys have their kind."""
    if isinstance(value, tuple | set):
        return {"$": type(value).__name__, "v": [_tagged(each) for each in value]}
    if isinstance(value, list):
        return [_tagged(each) for each in value]
    if isinstance(value, dict):
        if "$" in value or not all(isinstance(key, str) for key in value):
            return {"$": "dict", "v": [[key, _tagged(each)] for key, each in value.items()]}
        return {key: _tagged(each) for key, each in value.items()}
    return value


_USUAL_MS = 2_000.0
_MOST_CHARS_EACH, _MOST_CHARS = 200_000, 4_000_000
_MOST_PROMPT = 200_000


def problem_of(
    task_id: str, spec: Specification, suite: AuthoredSuite, growth: StressSize | None = None
) -> ProblemInput:
    """Return the problem as `solve` takes it.

    Its tests are the cases with an output that are not very large: examples first, then small ones.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    statement = statement_of(spec, calls=False)
    prompt = f"{statement}\n\n{format_of(spec)}"[:_MOST_PROMPT]
    prompt = prompt.encode("utf-8", "backslashreplace").decode()  # half of a surrogate pair
    found = []
    for case in suite.cases:
        if not case.has_expected:
            continue
        try:
            given = text_of_arguments(spec, args_of(case.input))
            answer = text_of_answer(spec, case.expected)
        except SpecificationError:
            continue
        size = len(given) + len(answer)
        found.append((not case.evidence.truth and size, size, given, answer))
    tests, room = [], _MOST_CHARS
    for _, size, given, answer in sorted(found, key=lambda each: each[0]):
        if size <= min(room, _MOST_CHARS_EACH):
            room -= size
            tests.append(UnitTest(input=given, output=answer))
    return ProblemInput(
        task_id=task_id,
        prompt=prompt,
        constraints=Constraints(runtime_limit=suite.time_limit_ms or _USUAL_MS),
        unit_tests=tuple(tests),
        input_bounds=dict(list(inputs_of(spec).bounds.items())[:10]),
        match_mode=match_mode_of(spec),
        growth=growth,
    )
