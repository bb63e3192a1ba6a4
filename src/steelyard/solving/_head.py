"""The input of a solve run, as its journal keeps it."""

from pathlib import Path

from steelyard.journal import read_record
from steelyard.schemas import Message, ProblemInput
from steelyard.solving._options import SolveOptions


class RunHead(Message):
    """The input of a run."""

    problem: ProblemInput
    options: SolveOptions
    flags: str
    """Compiler and flags, as passed to the coder."""


def read_head(folder: Path) -> RunHead:
    """Return the input of the run in a folder.

    Raises:
        UsageError: if it does not hold a run.
    """
    head: RunHead = read_record(folder / "run.json", RunHead)
    return head
