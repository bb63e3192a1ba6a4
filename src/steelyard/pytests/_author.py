"""Write a suite for a module: open models and folders, and run or resume."""

import ast
import asyncio
import uuid
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from steelyard.errors import ArtefactError, RecordingError, UsageError
from steelyard.journal import (
    Asker,
    Journal,
    Steps,
    exchanges_in,
    open_budget,
    open_models,
    read_record,
    recorded_models,
)
from steelyard.models import Model
from steelyard.options import Flag, ModelText, SpendingOptions, in_loop
from steelyard.pytests._evidence import Measuring
from steelyard.pytests._history import keep_figures
from steelyard.pytests._improving import Improving, LastReplyModel
from steelyard.pytests._module import TestedModule, find_module, read_bug
from steelyard.pytests._running import SuiteRunner
from steelyard.pytests._suite import bounds_in
from steelyard.schemas import (
    Message,
    Specification,
    SuiteEvidence,
    SuiteFigures,
    SuiteReport,
    record_of_json,
    utc_now,
)
from steelyard.settings import current_settings
from steelyard.strength import mutants_of

Measure = Callable[[str, str], SuiteEvidence]
_MOST_SPEC_BYTES = 200_000
_ROLES = ("tester", "reviewer")
_FROM_OUTSIDE = ("models", "sandbox", "logs")
_DECIDED = {"file_name", "code", "evidence", "first", "rounds", "stop", "reason"}
"""Fields of a report that follow from decisions."""


class SuiteOptions(SpendingOptions):
    """Options of writing a pytest suite. A run stores them with its artefacts.

    Of `limits` only `memory_mib` counts, for each run of the suite.
    """

    tester: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that writes the suite."""
    reviewer: ModelText = Field(default_factory=lambda: current_settings().models.coder)
    """Model that reviews and improves it."""
    max_rounds: Annotated[int, Flag("N", group="Limits")] = Field(default=5, ge=1, le=20)
    """Reviews of the suite."""
    most_mutants: Annotated[int, Flag("N", local=True)] = Field(default=80, ge=0, le=1_000)
    """Small changes of the module that the tests should notice."""


class SuiteHead(Message):
    """The input of a run."""

    run: str
    """Its own id."""
    file: str
    root: str | None
    module: str
    """The dotted name of the module."""
    path: str
    """The module's file, relative to the project."""
    source: str
    """The module's text."""
    spec: str
    bug: str | None
    options: SuiteOptions


@dataclass(frozen=True, slots=True)
class SuiteReplay:
    """A run rebuilt from its artefacts."""

    report: SuiteReport
    differences: tuple[str, ...]
    """Artefacts that differ in the replay; empty if all decisions are the same."""


def read_suite_run(folder: Path | str) -> tuple[SuiteHead, SuiteReport | None]:
    """Return the input of a run, and its report if it has ended.

    Raises:
        UsageError: if the folder does not hold a run that wrote a suite.
    """
    head: SuiteHead = read_record(Path(folder) / "run.json", SuiteHead)
    file = Path(folder) / "result.json"
    return head, read_record(file, SuiteReport) if file.exists() else None


class SuiteAuthor:
    """Writes pytest suites with models, and measures them.

    Args:
        options: Models and bounds.
        logs: Folder for artefacts, in which each module has a folder; None keeps none.
        models: Models to use in place of those that the options name, by role.
        caching: Keep replies beyond the run, and reuse them.
    """

    def __init__(
        self,
        options: SuiteOptions | None = None,
        *,
        logs: Path | str | None = "logs",
        models: Mapping[str, Model] | None = None,
        caching: bool = True,
    ) -> None:
        self.options = options or SuiteOptions()
        self._logs = Path(logs) if logs is not None else None
        self._models, self._caching = models, caching

    async def awrite(
        self,
        module: Path | str,
        *,
        root: Path | str | None = None,
        spec: Path | str | None = None,
        bug: Path | str | None = None,
    ) -> SuiteReport:
        """Write a suite for a module.

        Failures of models and of their suites are in the report. Only a wrong call raises.

        Args:
            module: The module's file.
            root: The project's folder; None: the module needs no other file.
            spec: File with a specification of the module, in JSON or in prose.
            bug: File with a version of the module that has a known bug.

        Raises:
            UsageError: if the call is wrong: a file, a model's name, a key, a folder in use.
            InfrastructureError: if the machine failed before a model was asked.
        """
        tested = find_module(Path(module), Path(root) if root is not None else None)
        head = SuiteHead(
            task_id=f"tests-{Path(tested.path).stem}",
            run=uuid.uuid4().hex,
            file=str(Path(module).resolve()),
            root=str(Path(root).resolve()) if root is not None else None,
            module=tested.module,
            path=tested.path,
            source=_storable(tested.source),
            spec=_read_spec(Path(spec)) if spec is not None else "",
            bug=read_bug(Path(bug), tested) if bug is not None else None,
            options=self.options.model_copy(update={"seed": self.options.fixed_seed()}),
        )
        with ExitStack() as stack:
            models = open_models(
                _names(head.options), (), stack, given=self._models, caching=self._caching
            )
            measuring = await asyncio.to_thread(self._measuring, tested, head)
            journal = Journal(None, head.task_id)
            if self._logs is not None:
                journal = Journal.begin(self._logs / head.task_id, head)
                stack.callback(journal.unlock)
            return await self._run(head, measuring.measure, models, journal)

    write = in_loop(awrite, "write")

    async def aresume(
        self,
        folder: Path | str,
        *,
        max_rounds: int | None = None,
        max_cost_usd: float | None = None,
        max_tokens: int | None = None,
    ) -> SuiteReport:
        """Resume a run that was ended: what was paid for and measured is not done again.

        Args:
            folder: The run's folder.
            max_rounds: New bound on reviews; None keeps the run's own, as for all bounds.
            max_cost_usd: New bound on model spending, in US dollars.
            max_tokens: New bound on tokens.

        Raises:
            UsageError: if the folder holds no run or is in use, or the module was changed.
        """
        folder = Path(folder)
        head: SuiteHead = read_record(folder / "run.json", SuiteHead)
        tested = find_module(Path(head.file), Path(head.root) if head.root else None)
        if _storable(tested.source) != head.source:
            raise UsageError(
                f"{head.file} was changed since the run in {folder} began; start another run"
            )
        with ExitStack() as stack:
            journal = Journal.reopen(folder, head.task_id)
            stack.callback(journal.unlock)
            bounds = {
                "max_rounds": max_rounds,
                "max_cost_usd": max_cost_usd,
                "max_tokens": max_tokens,
            }
            given = {name: each for name, each in bounds.items() if each is not None}
            if given:
                options = SuiteOptions.of(**head.options.model_dump() | given)
                head = head.model_copy(update={"options": options})
                journal.write("run", head)
            models = open_models(
                _names(head.options),
                exchanges_in(folder),
                stack,
                given=self._models,
                caching=self._caching,
            )
            measuring = await asyncio.to_thread(self._measuring, tested, head)
            return await self._run(head, measuring.measure, models, journal)

    resume = in_loop(aresume, "resume")

    def _measuring(self, tested: TestedModule, head: SuiteHead) -> Measuring:
        """Return what measures suites, after the module was imported once."""
        pool, limits = self.options.cells, head.options.limits
        memory = {"memory_mib": limits.memory_mib} if limits else {}
        runner = SuiteRunner(tested, pool, **memory)
        runner.require_import()
        if head.bug is not None:
            runner.require_import(head.bug, "the version with the known bug")
        mutants = mutants_of(
            tested.source.encode(tested.encoding), most=head.options.most_mutants, pool=pool
        )
        bounds = bounds_in(tested.tree) | _bounds_of(head.spec)
        return Measuring(runner, mutants, bug=head.bug, bounds=bounds)

    async def areplay(self, folder: Path | str) -> SuiteReplay:
        """Run again from artefacts alone: no model is asked, nothing is run or written.

        Raises:
            UsageError: if the folder holds no run, or one that was interrupted.
        """
        folder = Path(folder)
        head, recorded = read_suite_run(folder)
        if recorded is None:
            raise RecordingError(
                f"{folder}: the run was interrupted; resume it with author tests --resume {folder}"
            )
        models = recorded_models(_names(head.options), exchanges_in(folder))
        journal = Journal(folder, head.task_id, reads_only=True)
        report = await self._improving(head, _not_measured, models, journal).run()
        if report.stop == "models" and recorded.stop in _FROM_OUTSIDE:
            end = {"stop": recorded.stop, "reason": recorded.reason}
            report = report.model_copy(update=end)
        differences = journal.differences
        if report.model_dump(include=_DECIDED) != recorded.model_dump(include=_DECIDED):
            differences += ("result",)
        return SuiteReplay(report, differences)

    replay = in_loop(areplay, "replay")

    def _improving(
        self, head: SuiteHead, measure: Measure, models: Mapping[str, Model], journal: Journal
    ) -> Improving:
        options = head.options
        heard = {role: LastReplyModel(models[role]) for role in _ROLES}
        budget = open_budget(options.max_cost_usd, options.max_tokens, models)
        asker = Asker(heard, journal, budget, options.fixed_seed(), {})
        steps = Steps(journal, self.options.emit, "author")
        data = {"module": head.source}
        if head.spec:
            data["specification"] = head.spec
        return Improving(
            head.module,
            head.path,
            data,
            measure,
            asker,
            heard,
            journal,
            steps,
            options.max_rounds,
        )

    async def _run(
        self, head: SuiteHead, measure: Measure, models: Mapping[str, Model], journal: Journal
    ) -> SuiteReport:
        report = await self._improving(head, measure, models, journal).run()
        figures = _figures_of(report, head.run)
        lost = keep_figures(figures)
        report = report.model_copy(
            update={
                "figures": figures,
                "isolation": self.options.cells.isolation,
                "notes": (*report.notes, lost) if lost else report.notes,
            }
        )
        try:
            journal.write("result", report)
        except ArtefactError as error:
            report = report.model_copy(update={"notes": (*report.notes, str(error))})
        return report


def _not_measured(code: str, name: str) -> SuiteEvidence:  # noqa: ARG001 - as `Measuring.measure`
    """Refuse to measure: a replay takes all evidence from artefacts.

    Raises:
        RecordingError: always.
    """
    raise RecordingError(f"the evidence of {name} is not recorded; start another run")


def _figures_of(report: SuiteReport, run: str) -> SuiteFigures:
    """Return a run's figures; the suite that was written first comes after no review."""
    versions = [(0, report.first), *((each.number, each.evidence) for each in report.rounds)]
    perfect = [number for number, found in versions if found is not None and found.perfect]
    return SuiteFigures(
        run=run,
        module=report.module,
        at=utc_now().isoformat(),
        stop=report.stop,
        rounds=len(report.rounds),
        replies=len(report.rounds),
        read=sum(each.reply != "unreadable" for each in report.rounds),
        perfect_after=min(perfect, default=None),
        coverage_first=report.first.covered if report.first else 0.0,
        coverage_best=report.evidence.covered,
        cost_usd=report.spending.cost_usd,
    )


def _names(options: SuiteOptions) -> dict[str, str]:
    return {"tester": options.tester, "reviewer": options.reviewer}


def _storable(source: str) -> str:
    """Return a text as UTF-8 can hold it."""
    return source.encode("utf-8", "replace").decode("utf-8")


def _read_spec(file: Path) -> str:
    """Return a specification's text.

    Raises:
        UsageError: if it cannot be read, or is empty.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(_MOST_SPEC_BYTES + 1)
        text = data.decode("utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"{file} cannot be read: {why}; give a text or JSON file") from error
    if len(data) > _MOST_SPEC_BYTES:
        raise UsageError(f"{file} is larger than {_MOST_SPEC_BYTES:,} bytes; shorten it")
    if not text.strip():
        raise UsageError(f"{file} is empty; describe the module in it, or leave out --spec")
    return text


def _bounds_of(spec: str) -> frozenset[int]:
    """Return the whole numbers in a specification's constraints."""
    found: set[int] = set()
    with suppress(ValidationError):
        for constraint in record_of_json(Specification, spec).constraints:
            with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                found |= bounds_in(ast.parse(constraint))
    return frozenset(found)
