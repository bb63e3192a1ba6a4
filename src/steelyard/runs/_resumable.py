"""Begin, resume, replay and show the runs of a job.

1. A job derives from `Runner`: it declares its records and what of a report follows from
   decisions, makes the head of a run, and does one run in `_work`.
2. `_open` opens the models and the budget; `_finish` does the run, writes its report last, and is
   the same for a run that begins, is resumed or is replayed.
3. A run that is resumed may change its bounds alone: all other options shaped the paid replies.
4. `areplay` runs again from artefacts, without models and cells, and compares all decisions.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from pydantic import ConfigDict

from steelyard.errors import ArtefactError, RecordingError, UsageError
from steelyard.models import Model
from steelyard.options import RunOptions, in_loop
from steelyard.runs._artefacts import Exchange, exchanges_in, read_record, turns_in
from steelyard.runs._folder import HEAD, require_encodable
from steelyard.runs._paid_replies import open_models, recorded_models
from steelyard.runs._run import MACHINE_FAULTS, Run
from steelyard.sandbox import CellPool
from steelyard.schemas import Message, RunReport


class Head(Message):
    """The input of a run: all that it needs to be resumed."""

    job: str
    """The command that began it."""
    options: RunOptions


class _Begun(Message):
    """The command that began a run, whatever else its head holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    job: str


H = TypeVar("H", bound=Head)
R = TypeVar("R", bound=RunReport)


def read_head(folder: Path, form: type[H]) -> H:
    """Return the input of the run in a folder.

    Raises:
        UsageError: if it holds no run of this job.
    """
    own, found = form.model_fields["job"].default, read_record(folder / HEAD, _Begun).job
    if found != own:
        raise UsageError(f"{folder} holds a run of {found}, not of {own}; give another folder")
    head: H = read_record(folder / HEAD, form)
    return head


@dataclass(frozen=True, slots=True)
class Replay(Generic[R]):
    """A run rebuilt from its artefacts."""

    report: R
    recorded: R
    """The report of the original run."""
    differences: tuple[str, ...]
    """Artefacts that differ in the replay; empty if all decisions are the same."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run: a reply of a model, or what was found out from it."""

    turn: int
    name: str
    """The name of its artefact."""
    at: datetime


class _Stamp(Message):
    """The time of an artefact, whatever else it holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True)
class Story(Generic[H, R]):
    """A run from its start to its end or interruption."""

    head: H
    report: R | None = None
    exchanges: tuple[Exchange, ...] = ()
    folder: Path = Path()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, turn by turn, in the order of time.

        Raises:
            UsageError: if an artefact cannot be read.
        """
        found = (
            Step(number, file.stem, read_record(file, _Stamp).timestamp_utc)
            for number, turn in turns_in(self.folder)
            for file in turn.glob("*.json")
        )
        return tuple(sorted(found, key=lambda each: (each.turn, each.at)))


def read_story(folder: Path, head: type[H], report: type[R], *, first: int = 0) -> Story[H, R]:
    """Return the story of a run's folder.

    Args:
        folder: Of the run, which may be under way.
        head: The form of its head.
        report: The form of its report.
        first: The first turn whose exchanges are read.

    Raises:
        UsageError: if it holds no run of this job, or an artefact that cannot be read.
    """
    file = folder / "result.json"
    return Story(
        read_head(folder, head),
        read_record(file, report) if file.exists() else None,
        exchanges_in(folder, first=first),
        folder,
    )


class Runner(ABC, Generic[H, R]):
    """Begins, resumes and replays runs of one job.

    Args:
        options: Models and bounds.
        models: Models to use in place of those that the options name, by role.
        caching: Keep replies beyond the run, and reuse them.
    """

    job: ClassVar[str]
    head_form: type[H]
    report_form: type[R]
    decided: ClassVar[frozenset[str]]
    """Fields of a report that follow from decisions."""
    model_of: ClassVar[Mapping[str, str]] = {}
    """For roles without a model of their own, the role whose model answers."""
    option: ClassVar[str] = "--logs"
    """The option of the command that names a run's folder."""

    def __init__(
        self, options: RunOptions, models: Mapping[str, Model] | None, *, caching: bool
    ) -> None:
        self.options: RunOptions = options
        self._models, self._caching = models, caching

    async def areplay(self, folder: Path | str) -> Replay[R]:
        """Run again from artefacts alone: no model is asked, nothing is run or written.

        Raises:
            UsageError: if the folder holds no run, or one that was interrupted.
        """
        path = self._artefacts(Path(folder))
        story = read_story(path, self.head_form, self.report_form)
        head, recorded = story.head, story.report
        if recorded is None:
            raise RecordingError(
                f"{path}: the run was interrupted; resume it with --resume {folder}"
            )
        with CellPool(1) as pool:  # unused: a replay runs nothing
            run = self._run(head.options, pool)
            models = recorded_models(head.options.model_names, story.exchanges)
            run.use(models, head.options.max_cost_usd, head.options.max_tokens)
            run.replay(path, head.task_id)
            report = await self._finish(head, run)
        ended_alike = report.stop == recorded.stop == "pruned" or (
            report.stop == "models" and recorded.stop in MACHINE_FAULTS
        )
        if ended_alike:  # the artefacts end there without the reason
            end = recorded.model_dump(include={"status", "stop", "reason"})
            report = report.model_copy(update=end)
        decided = set(self.decided)
        alike = report.model_dump(include=decided) == recorded.model_dump(include=decided)
        return Replay(report, recorded, run.differences + (() if alike else ("result",)))

    replay = in_loop(areplay, "replay")

    # -------------------------------------------------------------------------- the job

    @abstractmethod
    async def _work(self, head: H, run: Run) -> R:
        """Do one run to its end, and return its report."""

    def _artefacts(self, folder: Path) -> Path:
        """Return the folder of the artefacts of a run that a caller names."""
        require_encodable(folder)
        return folder

    def _published(self, report: R, run: Run) -> R:  # noqa: ARG002 - for jobs with results
        """Write the results next to the artefacts, and return the report."""
        return report

    # -------------------------------------------------------------------------- a run

    def _run(self, options: RunOptions, pool: CellPool) -> Run:
        return Run(
            self.job,
            pool,
            seed=options.fixed_seed(),
            model_of=self.model_of,
            on_event=self.options.on_event,
            option=self.option,
        )

    def _open(
        self,
        options: RunOptions,
        stack: ExitStack,
        earlier: Path | None = None,
        task_id: str = "",
    ) -> Run:
        """Open the models of a run; `stack` closes them and the run's folder.

        Args:
            options: The options of the run.
            stack: Closes what is opened.
            earlier: The folder of the run that is resumed; locked before it is read.
            task_id: The id in its artefacts.

        Raises:
            UsageError: if a name, a key or a script is wrong, or the folder is in use.
        """
        run = self._run(options, self.options.cells)
        stack.callback(run.close)
        before: tuple[Exchange, ...] = ()
        if earlier is not None:
            run.reopen(earlier, task_id)
            before = exchanges_in(earlier)
        models = open_models(
            options.model_names, before, stack, given=self._models, caching=self._caching
        )
        run.use(models, options.max_cost_usd, options.max_tokens)
        return run

    async def _resume(self, folder: Path | str, **bounds: object) -> R:
        """Resume the run in a folder; a bound that is None stays as it is.

        Raises:
            UsageError: if the folder holds no run or is in use, or the call is wrong.
        """
        path = self._artefacts(Path(folder))
        head = read_head(path, self.head_form)
        options = head.options.changed(**bounds)
        seconds = 0.0
        with suppress(UsageError):  # it has no report yet, or a damaged one
            seconds = read_record(path / "result.json", self.report_form).seconds
        with ExitStack() as stack:
            run = self._open(options, stack, path, head.task_id)
            if options != head.options:
                head = head.model_copy(update={"options": options})
                run.write("run", head)
            return await self._finish(head, run, seconds)

    async def _finish(self, head: H, run: Run, seconds: float = 0.0) -> R:
        """Do a run to its end; `seconds` are those of the report that it takes the place of."""
        begun = time.monotonic()
        report = await self._work(head, run)
        run.notify("end", report.reason)
        report = report.model_copy(
            update={
                "spending": run.spending,
                "notes": run.notes,
                "logs": str(run.path or ""),
                "seconds": seconds + time.monotonic() - begun,
            }
        )
        if run.reads_only:
            return report
        report = self._published(report, run)
        try:
            run.write("result", report)
        except ArtefactError as error:
            return report.model_copy(update={"notes": (*report.notes, str(error))})
        return report
