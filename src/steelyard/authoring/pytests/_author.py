"""Write a suite for a module: open models and folders, and run or resume."""

import ast
import asyncio
import uuid
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from pydantic import ValidationError

from steelyard.authoring.pytests._evidence import Measuring
from steelyard.authoring.pytests._history import keep_figures
from steelyard.authoring.pytests._improving import Improving
from steelyard.authoring.pytests._module import TestedModule, find_module, read_bug
from steelyard.authoring.pytests._options import SuiteHead, SuiteOptions
from steelyard.authoring.pytests._running import SuiteRunner
from steelyard.authoring.pytests._suite import bounds_in
from steelyard.errors import RecordingError, UsageError
from steelyard.models import Model
from steelyard.options import beside, in_loop
from steelyard.runs import Run, Runner, read_head
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    Specification,
    SuiteEvidence,
    SuiteFigures,
    SuiteReport,
    record_of_json,
    utc_now,
)
from steelyard.strength import mutants_of

_MOST_SPEC_BYTES = 200_000


class SuiteAuthor(Runner[SuiteHead, SuiteReport]):
    """Writes pytest suites with models, and measures them.

    Args:
        options: Models and bounds.
        logs: Folder for artefacts, in which each module has a folder; None keeps none.
        models: Models to use in place of those that the options name, by role.
        caching: Keep replies beyond the run, and reuse them.
    """

    options: SuiteOptions
    job = "author"
    head_form, report_form = SuiteHead, SuiteReport
    decided = frozenset({"file_name", "code", "evidence", "first", "rounds", "stop", "reason"})

    def __init__(
        self,
        options: SuiteOptions | None = None,
        *,
        logs: Path | str | None = "logs",
        models: Mapping[str, Model] | None = None,
        caching: bool = True,
    ) -> None:
        super().__init__(options or SuiteOptions(), models, caching=caching)
        self._logs = Path(logs) if logs is not None else None

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
            run = self._open(head.options, stack)
            await asyncio.to_thread(_require_import, tested, head, run.pool)
            if self._logs is not None:
                run.begin(self._logs / head.task_id, head)
            return await self._finish(head, run)

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
        head = read_head(folder, SuiteHead)
        await asyncio.to_thread(_require_import, _module_of(head), head, self.options.cells)
        return await self._resume(
            folder, max_rounds=max_rounds, max_cost_usd=max_cost_usd, max_tokens=max_tokens
        )

    resume = in_loop(aresume, "resume")

    async def _work(self, head: SuiteHead, run: Run) -> SuiteReport:
        if run.reads_only:
            return await Improving(head, run, _not_measured).run()
        measuring = await beside(lambda: _measuring(_module_of(head), head, run.pool))
        report = await Improving(head, run, measuring.measure).run()
        figures = _figures_of(report, head.run, run.spending.cost_usd)
        if lost := keep_figures(figures):
            run.note(lost)
        return report.model_copy(update={"figures": figures, "isolation": run.pool.isolation})


def _module_of(head: SuiteHead) -> TestedModule:
    """Return the module of a run.

    Raises:
        UsageError: if it was changed since the run began.
    """
    tested = find_module(Path(head.file), Path(head.root) if head.root else None)
    if _storable(tested.source) != head.source:
        raise UsageError(f"{head.file} was changed since the run began; start another run")
    return tested


def _require_import(tested: TestedModule, head: SuiteHead, pool: CellPool) -> None:
    """Require that the module, and the version with the known bug, can be imported."""
    runner = _runner(tested, head, pool)
    runner.require_import()
    if head.bug is not None:
        runner.require_import(head.bug, "the version with the known bug")


def _runner(tested: TestedModule, head: SuiteHead, pool: CellPool) -> SuiteRunner:
    limits = head.options.limits
    memory = {"memory_mib": limits.memory_mib} if limits else {}
    return SuiteRunner(tested, pool, **memory)


def _measuring(tested: TestedModule, head: SuiteHead, pool: CellPool) -> Measuring:
    mutants = mutants_of(
        tested.source.encode(tested.encoding),
        most=head.options.most_mutants,
        pool=pool,
        imported=True,
    )
    bounds = bounds_in(tested.tree) | _bounds_of(head.spec)
    return Measuring(_runner(tested, head, pool), mutants, bug=head.bug, bounds=bounds)


def _not_measured(code: str, name: str) -> SuiteEvidence:  # noqa: ARG001 - as `Measuring.measure`
    """Refuse to measure: a replay takes all evidence from artefacts.

    Raises:
        RecordingError: always.
    """
    raise RecordingError(f"the evidence of {name} is not recorded; start another run")


def _figures_of(report: SuiteReport, run: str, cost_usd: float | None) -> SuiteFigures:
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
        cost_usd=cost_usd,
    )


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
