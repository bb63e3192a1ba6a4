"""Read a run's input, turns and result from its artefacts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from steelyard.runs import Exchange, Head, RunFolder, Story, read_story, turns_in
from steelyard.schemas import (
    CodeMessage,
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


class RunHead(Head):
    """The input of a run."""

    job: Literal["solve"] = "solve"
    problem: ProblemInput
    options: SolveOptions
    flags: str
    """Compiler and flags, as passed to the coder."""


@dataclass(frozen=True)
class SolveStory(Story[RunHead, RunResult]):
    """A run from its start to its end or interruption, turn by turn."""

    turns: tuple[Turn, ...] = ()


def read_solve_story(folder: Path, *, first: int = 0) -> SolveStory:
    """Return the story of a run's folder.

    Args:
        folder: Of the run, which may be under way.
        first: The first turn to read.

    Raises:
        UsageError: if it holds no run, or an artefact that cannot be read.
    """
    story = read_story(folder, RunHead, RunResult, first=first)
    artefacts = RunFolder()
    artefacts.replay(folder, story.head.task_id)
    turns = []
    for number in (number for number, _ in turns_in(folder) if number >= first):
        artefacts.turn_to(number)
        turns.append(
            Turn(
                number,
                tuple(_plans_in(artefacts, story.head.options.max_plans)),
                artefacts.known("code", CodeMessage),
                artefacts.known("tests", VerifyResult),
                artefacts.known("profile_again", ProfileReport)
                or artefacts.known("profile", ProfileReport),
                artefacts.known("verdict", VerdictMessage),
                tuple(each for each in story.exchanges if each.iteration == number),
            )
        )
    return SolveStory(story.head, story.report, story.exchanges, folder, tuple(turns))


def _plans_in(
    artefacts: RunFolder, most: int
) -> list[tuple[PlanMessage, tuple[PruneFinding, ...]]]:
    found = []
    for index in range(most):
        suffix = f"_{index + 1}" if index else ""
        plan = artefacts.known(f"plan{suffix}", PlanMessage)
        if plan is not None:
            pruned = artefacts.known(f"prune{suffix}", tuple[PruneFinding, ...]) or ()
            found.append((plan, pruned))
    return found
