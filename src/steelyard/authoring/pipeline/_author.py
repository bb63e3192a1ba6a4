"""Author a problem: open models and folders, and run: new, resumed, or from artefacts."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.authoring._options import AuthorOptions
from steelyard.authoring._roles import MODEL_OF
from steelyard.authoring._specify import require_request
from steelyard.authoring.pipeline._folder import (
    JOURNAL,
    AuthorHead,
    journal_in,
    read_author_head,
    require_folder,
    results_of,
    write_results,
)
from steelyard.authoring.pipeline._run import Run
from steelyard.authoring.specification import require_sound
from steelyard.errors import (
    ArtefactError,
    ModelNameError,
    RecordingError,
    SettingsError,
    UsageError,
)
from steelyard.journal import (
    Asker,
    Journal,
    exchanges_in,
    open_budget,
    open_models,
    read_record,
    recorded_models,
)
from steelyard.models import Budget, Model
from steelyard.options import in_loop
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthorReport, Specification
from steelyard.strength import read_specification
from steelyard.toolchains import read_source

_OPTION = "--out"
_FROM_OUTSIDE = ("models", "sandbox", "logs")
_DECIDED = {
    "status",
    "stop",
    "reason",
    "specification",
    "suite",
    "questions",
    "solutions",
    "rounds",
}
"""Fields of a report that follow from decisions."""
_MOST_CHARS = 60


@dataclass(frozen=True, slots=True)
class AuthorReplay:
    """A run rebuilt from its artefacts."""

    report: AuthorReport
    recorded: AuthorReport
    """The report of the original run."""
    differences: tuple[str, ...]
    """Artefacts that differ in the replay; empty if all decisions are the same."""


class Author:
    """Turns requests into specifications, suites of measured strength, and solutions.

    Args:
        options: Models, numbers, limits on spending.
        models: Models to use in place of those that the options name, by role: `specifier`,
            `optimised`, `bruteforce`.
        caching: Keep replies beyond the run, and reuse them.
    """

    def __init__(
        self,
        options: AuthorOptions | None = None,
        *,
        models: Mapping[str, Model] | None = None,
        caching: bool = True,
    ) -> None:
        self.options = options or AuthorOptions()
        self._models, self._caching = models, caching

    @checks_arguments
    async def aauthor(
        self,
        request: str | None = None,
        *,
        out: Path | str | None = None,
        specification: Specification | Path | str | None = None,
        solutions: Sequence[Path | str] = (),
    ) -> AuthorReport:
        """Author a problem.

        Failures of models and programs are in the report. Only a wrong call raises.

        Args:
            request: What is asked for, in prose.
            out: The folder of the results, and of the run's artefacts; None writes nothing.
            specification: A specification, or its JSON file, in place of a request. The suite is
                then made without any model if none is configured.
            solutions: Right solutions: a `Path` is a file, a `str` the program's text.

        Raises:
            UsageError: if the call is wrong: a request that asks for nothing, a specification with
                a fault, a model's name, a key, a folder that is in use.
            InfrastructureError: if the machine failed before a model was asked.
        """
        if (request is None) == (specification is None):
            raise UsageError("give one of the two: a request, or a specification")
        options = self.options.model_copy(update={"seed": self.options.fixed_seed()})
        spec = None if specification is None else read_specification(specification)
        if spec is not None:
            require_sound(spec, pool=self.options.cells)
        elif request is not None:
            require_request(request)
        folder = None if out is None else require_folder(Path(out))
        with ExitStack() as stack:
            models, why = self._open(options, stack, spec)
            budget = open_budget(options.max_cost_usd, options.max_tokens, models)
            head = AuthorHead(
                task_id=_task_id(spec.title if spec else request or ""),
                request=request or "",
                specification=spec,
                solutions=tuple(map(_source, solutions)),
                options=options,
                out=str(folder or ""),
                no_models=why,
            )
            journal = Journal(None, head.task_id)
            if folder is not None:
                journal = Journal.begin(folder / JOURNAL, head, option=_OPTION)
                stack.callback(journal.unlock)
            asker = self._asker(head, models, journal, budget)
            return await self._run(head, journal, asker)

    author = in_loop(aauthor, "author")

    async def aresume(
        self,
        folder: Path | str,
        *,
        max_cost_usd: float | None = None,
        max_tokens: int | None = None,
    ) -> AuthorReport:
        """Resume a run that was ended: what was paid for and measured is not done again.

        Args:
            folder: The folder of the results.
            max_cost_usd: New limit on model spending, in US dollars; None keeps the run's own.
            max_tokens: New limit on tokens; None keeps the run's own.

        Raises:
            UsageError: if the folder holds no run or is in use, or the call is wrong.
        """
        artefacts = journal_in(Path(folder))
        head = read_author_head(artefacts)
        head = head.model_copy(update={"out": str(results_of(artefacts))})
        with ExitStack() as stack:
            journal = Journal.reopen(artefacts, head.task_id, option=_OPTION)
            stack.callback(journal.unlock)
            options = head.options.changed(max_cost_usd=max_cost_usd, max_tokens=max_tokens)
            names = {} if head.no_models else options.model_names
            models = open_models(
                names, exchanges_in(artefacts), stack, given=self._models, caching=self._caching
            )
            budget = open_budget(options.max_cost_usd, options.max_tokens, models)
            if options != head.options:
                head = head.model_copy(update={"options": options})
                journal.write("run", head)
            return await self._run(head, journal, self._asker(head, models, journal, budget))

    resume = in_loop(aresume, "resume")

    async def areplay(self, folder: Path | str) -> AuthorReplay:
        """Run again from artefacts alone: no model is asked, nothing is run or written.

        Raises:
            UsageError: if the folder holds no run, or one that was interrupted.
        """
        artefacts = journal_in(Path(folder))
        head = read_author_head(artefacts)
        file = artefacts / "result.json"
        if not file.exists():
            raise RecordingError(
                f"{artefacts}: the run was interrupted; resume it with --resume {folder}"
            )
        recorded: AuthorReport = read_record(file, AuthorReport)
        names = {} if head.no_models else head.options.model_names
        models = recorded_models(names, exchanges_in(artefacts))
        journal = Journal(artefacts, head.task_id, reads_only=True)
        budget = open_budget(head.options.max_cost_usd, head.options.max_tokens, models)
        asker = self._asker(head, models, journal, budget)
        with CellPool(1) as pool:  # unused: a replay runs nothing
            report = await Run(head, journal, asker, pool, self.options.emit).run()
        if report.stop == "models" and recorded.stop in _FROM_OUTSIDE:
            end = {"status": recorded.status, "stop": recorded.stop, "reason": recorded.reason}
            report = report.model_copy(update=end)
        differences = journal.differences
        if report.model_dump(include=_DECIDED) != recorded.model_dump(include=_DECIDED):
            differences += ("result",)
        return AuthorReplay(report, recorded, differences)

    replay = in_loop(areplay, "replay")

    # -------------------------------------------------------------------------- a run

    def _open(
        self, options: AuthorOptions, stack: ExitStack, spec: Specification | None
    ) -> tuple[dict[str, Model], str]:
        """Return the models by role, or why none is asked.

        With a specification and without named models, a model that cannot be opened is left out.

        Raises:
            UsageError: if a model is needed and cannot be opened.
        """
        names = options.model_names
        if not names:
            if spec is None:
                raise UsageError("a request needs a model; give one, or a specification")
            return {}, "no model is asked: `none` is chosen"
        try:
            return open_models(names, (), stack, given=self._models, caching=self._caching), ""
        except (ModelNameError, SettingsError) as error:
            named = {"writer", "solver", "checker"} & options.model_fields_set
            if spec is None or named:
                raise
            return {}, f"no model is asked: {error}"

    def _asker(
        self, head: AuthorHead, models: Mapping[str, Model], journal: Journal, budget: Budget
    ) -> Asker | None:
        if not models:
            return None
        return Asker(models, journal, budget, head.options.fixed_seed(), MODEL_OF)

    async def _run(self, head: AuthorHead, journal: Journal, asker: Asker | None) -> AuthorReport:
        pool = self.options.cells
        options = head.options.model_copy(update={"pool": pool})
        head = head.model_copy(update={"options": options})
        report = await Run(head, journal, asker, pool, self.options.emit).run()
        try:
            if head.out:
                write_results(report, Path(head.out))
            journal.write("result", report)
        except ArtefactError as error:
            lost = {"status": "sandbox_error", "stop": "logs", "reason": str(error), "folder": ""}
            return report.model_copy(update=lost)
        return report


def _task_id(text: str) -> str:
    """Return a name that is safe for a folder, made from a title or a request."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    name = "-".join(words)[:_MOST_CHARS].strip("-")
    return name or f"problem-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _source(program: Path | str) -> str:
    """Return a solution's text.

    Raises:
        UsageError: if it cannot be read, or is not UTF-8.
    """
    data, _ = read_source(program, "python")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"a solution is not UTF-8 at byte {error.start}; use UTF-8") from error
