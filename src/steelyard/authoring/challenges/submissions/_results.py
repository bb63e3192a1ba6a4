"""Store a problem from a folder of results: its specification, suite and solutions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter, ValidationError

from steelyard.authoring.calls import shown_call
from steelyard.authoring.challenges.submissions._submit import PYTHON, entry_of
from steelyard.authoring.pipeline import JOURNAL, AuthorStory, read_author_story
from steelyard.authoring.specification import require_sound
from steelyard.constraints import Validator
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.inputs import read_specification
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import (
    AuthoredSuite,
    ProblemName,
    SolutionRole,
    Specification,
    StoredSolution,
    SuiteVersion,
)
from steelyard.strength import read_authored
from steelyard.toolchains import MAX_SOURCE_BYTES
from steelyard.values import parse_type

if TYPE_CHECKING:
    from steelyard.storage import Change, Database

_ROLES: Final[dict[str, SolutionRole]] = {
    "optimised.py": "optimised",
    "brute_force.py": "brute-force",
}
"""By the file's name; every other solution is a `reference`."""
_MOST_LINE, _MOST_NAME = 2_000, 200


def require_problem_name(name: str) -> None:
    """Refuse a name that no problem in the database can have.

    Raises:
        UsageError: if it has other characters than allowed, or is too long.
    """
    try:
        TypeAdapter(ProblemName).validate_python(name)
    except ValidationError as error:
        raise UsageError(
            f"{name[:60]!r} cannot name a problem; use up to 100 letters, digits, '.', '_' and "
            "'-', the first one a letter or a digit"
        ) from error


@dataclass(frozen=True, slots=True)
class Results:
    """The results of `steelyard author`, as its folder holds them."""

    name: str
    """The problem's."""
    spec: Specification
    suite: AuthoredSuite
    solutions: tuple[StoredSolution, ...]
    run: AuthorStory | None
    """The run that made them, if it is there."""


def read_results(folder: Path, name: str) -> Results:
    """Return the results in a folder.

    Args:
        folder: A folder with `specification.json`, `suite.json` and `solutions/*.py`. If it holds
            the run that made them, its strength, its cost and its steps are stored too.
        name: The problem's name.

    Raises:
        UsageError: if something is missing or cannot be read, or the name cannot be used.
    """
    require_problem_name(name)
    spec = read_specification(folder / "specification.json")
    suite = read_authored(folder / "suite.json")
    if suite is None:
        raise UsageError(f"{folder / 'suite.json'} holds no suite; name a folder of results")
    run = read_author_story(folder) if (folder / JOURNAL / "run.json").exists() else None
    return Results(name, spec, suite, tuple(_solutions(folder / "solutions", name)), run)


def store_results(
    database: "Database", results: Results, *, pool: CellPool | None = None
) -> tuple[SuiteVersion, tuple[StoredSolution, ...]]:
    """Store the results of `steelyard author`, as a new problem or as new versions of one.

    Args:
        database: The database.
        results: From `read_results`.
        pool: Where programs run; None for the pool that the process shares.

    Returns:
        The suite's version, and the solutions.

    Raises:
        UsageError: if something does not fit together; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    return store_problem(
        database,
        results.name,
        results.spec,
        results.suite,
        results.solutions,
        reason="stored from a folder",
        run=results.run,
        pool=pool,
    )


def store_problem(
    database: "Database",
    name: str,
    spec: Specification,
    suite: AuthoredSuite,
    solutions: Sequence[StoredSolution] = (),
    *,
    reason: str = "",
    run: AuthorStory | None = None,
    pool: CellPool | None = None,
) -> tuple[SuiteVersion, tuple[StoredSolution, ...]]:
    """Check a problem, and store it as a new one or as new versions of one.

    Args:
        database: The database.
        name: The problem's name.
        spec: Its specification.
        suite: Its suite, of this specification.
        solutions: The first reference among them takes the place of the stored one.
        reason: Why the problem is new or changes.
        run: The run that made it, of which the strength, the cost and the steps are stored too.
        pool: Where programs run; None for the pool that the process shares.

    Returns:
        The suite's version, and the solutions as they are stored.

    Raises:
        UsageError: if it does not fit together; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    require_sound(spec, pool=pool or shared_pool())
    _check_suite(spec, suite)
    with database.change() as change:
        change.add_problem(name)
        placed = tuple(_in_place(change.solutions(name), solutions))
        change.store_problem(name, spec, suite, placed, reason=reason)
        stored = change.suite_versions(name)[-1]
        if run is not None and run.report is not None:
            _store_run(change, run, stored, placed)
        return stored, placed


def _store_run(
    change: "Change", run: AuthorStory, suite: SuiteVersion, solutions: Sequence[StoredSolution]
) -> None:
    """Store the run that made the results, and the strength that it measured."""
    report, head = run.report, run.head
    assert report is not None
    main = next((each for each in solutions if Path(each.origin).stem == report.solution), None)
    if report.strength is not None and main is not None:
        change.add_strength(
            suite.suite, main.digest, f"steelyard {version('steelyard')}", report.strength
        )
    name = f"{head.task_id} {head.timestamp_utc:%Y-%m-%dT%H:%M:%SZ}"
    models = dict.fromkeys(head.options.model_names.values())
    notes = tuple(each[:_MOST_LINE] for each in report.notes)
    ended = (report.status, report.spending, notes)
    earlier = change.runs(name)  # a run that was resumed since has ended once more
    if any((each.status, each.spending, each.notes) == ended for each in earlier):
        return
    stored = change.add_run(
        name,
        "author",
        report.status,
        head.timestamp_utc,
        problem=suite.problem,
        models=tuple(each[:_MOST_NAME] for each in models),
        spending=report.spending,
        notes=notes,
    )
    known = max((each.created_utc for each in earlier), default=None)
    for step in run.steps:
        if known is None or step.at > known:
            change.add_event(
                "run.step",
                suite.problem,
                stored.digest,
                step=step.name,
                suite=step.turn + 1,
                at=step.at.isoformat(),
            )


def _in_place(
    stored: Sequence[StoredSolution], given: Sequence[StoredSolution]
) -> Iterator[StoredSolution]:
    """Yield the given solutions; the first one takes the place of the stored reference."""
    old, new = reference_of(stored), reference_of(given)
    for solution in given:
        if old is not None and solution is new and solution.source != old.source:
            yield replacement_of(solution, old)
        else:
            yield solution


def _check_suite(spec: Specification, suite: AuthoredSuite) -> None:
    """Refuse a suite that is not for this specification.

    Raises:
        UsageError: with the first fault.
    """
    if suite.spec_digest != spec.digest:
        raise UsageError(
            "the suite is for another version of the specification; author the suite again"
        )
    validator, returns = Validator.of(spec), parse_type(spec.returns)
    names: set[str] = set()
    for case in suite.cases:
        args = args_of(case.input)
        if broken := validator.broken(args):
            raise UsageError(
                f"case {case.name!r} is invalid: {shown_call(args)} breaks {broken[0]}; remove it"
            )
        fault = returns.fault_of(case.expected) if case.has_expected else None
        if fault is not None:
            raise UsageError(f"case {case.name!r} expects a wrong type: {fault}; correct it")
        if case.name in names:
            raise UsageError(f"two cases have the name {case.name!r}; rename one")
        names.add(case.name)


def _solutions(folder: Path, problem: str) -> Iterator[StoredSolution]:
    """Yield the solutions in a folder.

    Raises:
        UsageError: if one cannot be read.
    """
    for file in sorted(folder.glob("*.py")):
        try:
            with file.open("rb") as stream:
                source = stream.read(MAX_SOURCE_BYTES + 1).decode("utf-8")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8"
            raise UsageError(f"{file} cannot be read: {why}; remove it") from error
        yield StoredSolution(
            problem=problem,
            role=_ROLES.get(file.name, "reference"),
            entry=entry_of(PYTHON),
            source=source,
            origin=file.name[:200],
        )


REFERENCES: Final[tuple[SolutionRole, ...]] = ("optimised", "reference", "brute-force")
"""The roles of solutions that are meant to be right, the preferred one first."""
_REPLACES: Final = "replaces"
"""Key of a solution's evidence: the digest of the reference solution whose place it takes."""


def reference_of(solutions: Sequence[StoredSolution]) -> StoredSolution | None:
    """Return the current reference solution of a problem; None if it has none."""
    after = {
        str(each.evidence[_REPLACES]): each for each in solutions if _REPLACES in each.evidence
    }
    written = [
        each for each in solutions if each.role in REFERENCES and _REPLACES not in each.evidence
    ]
    current = min(written, key=rank_of, default=None)
    while current is not None and current.digest in after:
        current = after[current.digest]
    return current


def replacement_of(new: StoredSolution, old: StoredSolution, **changes: str) -> StoredSolution:
    """Return a solution as the reference in place of another one.

    Args:
        new: The solution that takes the place.
        old: The reference solution until then.
        **changes: Other fields of the new record.
    """
    evidence = {**new.evidence, _REPLACES: old.digest}
    return StoredSolution.model_validate(new.model_dump() | {"evidence": evidence, **changes})


def rank_of(solution: StoredSolution) -> tuple[int, str]:
    """Return the rank of a solution; the smallest is preferred."""
    roles = REFERENCES
    return roles.index(solution.role) if solution.role in roles else len(roles), solution.digest
