"""Read a run's input, turns and result from its artefacts."""

from dataclasses import dataclass, field
from pathlib import Path

from steelyard.journal import Exchange, Journal, exchanges_in, read_record, turns_in
from steelyard.schemas import (
    CodeMessage,
    Message,
    PlanMessage,
    ProblemInput,
    ProfileReport,
    PruneFinding,
    RunResult,
    VerdictMessage,
    VerifyResult,
)
from steelyard.solving._options import SolveOptions


@dataclass(frozen=True)
class Turn:
    """One turn of the loop: a program, perhaps with a new plan before it."""

    number: int
    plans: tuple[tuple[PlanMessage, tuple[PruneFinding, ...]], ...] = ()
    """Plans with the findings of the static rules; the last plan was used if it has none."""
    code: CodeMessage | None = None
    tests: VerifyResult | None = None
    profile: ProfileReport | None = None
    verdict: VerdictMessage | None = None
    exchanges: tuple[Exchange, ...] = ()


class RunHead(Message):
    """The input of a run."""

    problem: ProblemInput
    options: SolveOptions
    flags: str
    """Compiler and flags, as passed to the coder."""


@dataclass(frozen=True)
class Story:
    """A run from its start to its end or interruption."""

    head: RunHead
    turns: tuple[Turn, ...] = ()
    result: RunResult | None = None
    folder: Path = field(default_factory=Path)


def read_story(folder: Path, *, first: int = 0) -> Story:
    """Return the story of a run's folder.

    Args:
        folder: Of the run, which may be under way.
        first: The first turn to read.

    Raises:
        UsageError: if it holds no run, or an artefact that cannot be read.
    """
    head = read_head(folder)
    journal = Journal(folder, head.task_id, reads_only=True)
    exchanges = exchanges_in(folder, first=first)
    turns = []
    for number in (number for number, _ in turns_in(folder) if number >= first):
        journal.turn_to(number)
        turns.append(
            Turn(
                number,
                tuple(_plans_in(journal, head.options.max_plans)),
                journal.known("code", CodeMessage),
                journal.known("tests", VerifyResult),
                journal.known("profile_again", ProfileReport)
                or journal.known("profile", ProfileReport),
                journal.known("verdict", VerdictMessage),
                tuple(each for each in exchanges if each.iteration == number),
            )
        )
    file = folder / "result.json"
    result = read_record(file, RunResult) if file.exists() else None
    return Story(head, tuple(turns), result, folder)


def _plans_in(journal: Journal, most: int) -> list[tuple[PlanMessage, tuple[PruneFinding, ...]]]:
    found = []
    for index in range(most):
        suffix = f"_{index + 1}" if index else ""
        plan = journal.known(f"plan{suffix}", PlanMessage)
        if plan is not None:
            pruned = journal.known(f"prune{suffix}", tuple[PruneFinding, ...]) or ()
            found.append((plan, pruned))
    return found


def read_head(folder: Path) -> RunHead:
    """Return the input of the run in a folder.

    Raises:
        UsageError: if it does not hold a run.
    """
    head: RunHead = read_record(folder / "run.json", RunHead)
    return head
