"""Author a problem: open models and folders, and run: new, resumed, or from artefacts."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.authoring._options import NO_MODEL, AuthorOptions
from steelyard.authoring._roles import MODEL_OF
from steelyard.authoring._specify import require_models, require_request
from steelyard.authoring.pipeline._authoring import Authoring
from steelyard.authoring.pipeline._results_folder import (
    JOURNAL,
    AuthorHead,
    journal_in,
    require_folder,
    results_of,
    write_results,
)
from steelyard.authoring.specification import require_sound
from steelyard.errors import ArtefactError, ModelNameError, SettingsError, UsageError
from steelyard.inputs import read_specification
from steelyard.models import Model
from steelyard.options import in_loop
from steelyard.runs import Run, Runner
from steelyard.schemas import AuthorReport, Specification
from steelyard.toolchains import read_source

_MOST_CHARS = 60


class Author(Runner[AuthorHead, AuthorReport]):
    """Turns requests into specifications, suites of measured strength, and solutions.

    Args:
        options: Models, numbers, limits on spending.
        models: Models to use in place of those that the options name, by role: `specifier`,
            `optimised`, `bruteforce`.
        caching: Keep replies beyond the run, and reuse them.
    """

    options: AuthorOptions
    job = "author"
    head_form, report_form = AuthorHead, AuthorReport
    decided = frozenset(
        {
            "status",
            "stop",
            "reason",
            "specification",
            "suite",
            "questions",
            "solutions",
            "rounds",
        }
    )
    model_of = MODEL_OF
    option = "--out"

    @checks_arguments
    def __init__(
        self,
        options: AuthorOptions | None = None,
        *,
        models: Mapping[str, Model] | None = None,
        caching: bool = True,
    ) -> None:
        super().__init__(options or AuthorOptions(), models, caching=caching)

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

        Failures of models and programs are in the report. Only a wrong call raises. With a
        specification and without named models, a model that cannot be opened is left out.

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
            require_models(options)
        folder = None if out is None else require_folder(Path(out))
        why = "" if options.model_names else "no model is asked: `none` is chosen"
        with ExitStack() as stack:
            try:
                run = self._open(options, stack)
            except (ModelNameError, SettingsError) as error:
                if spec is None or {*options.roles.values()} & options.model_fields_set:
                    raise
                why = f"no model is asked: {error}"
                options = options.model_copy(update={"writer": NO_MODEL})
                run = self._open(options, stack)
            head = AuthorHead(
                task_id=_task_id(spec.title if spec else request or ""),
                request=request or "",
                specification=spec,
                solutions=tuple(map(_source, solutions)),
                options=options,
                no_models=why,
            )
            if folder is not None:
                run.begin(folder / JOURNAL, head)
            return await self._finish(head, run)

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
        return await self._resume(folder, max_cost_usd=max_cost_usd, max_tokens=max_tokens)

    resume = in_loop(aresume, "resume")

    async def _work(self, head: AuthorHead, run: Run) -> AuthorReport:
        return await Authoring(head, run).author()

    def _artefacts(self, folder: Path) -> Path:
        return super()._artefacts(journal_in(folder))

    def _published(self, report: AuthorReport, run: Run) -> AuthorReport:
        """Write the results next to the artefacts, wherever these are now."""
        if run.path is None:
            return report
        folder = results_of(run.path)
        try:
            write_results(report, folder)
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
