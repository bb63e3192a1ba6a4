"""One run of models: ask them, keep every step, and collect what the report needs.

1. `ask` calls a model only if its reply can be stored and paid for, and keeps the exchange as soon
   as the reply is there: before a cache stores it, and before anything reads it. So a kill loses at
   most the replies that are on their way. In a resumed run recorded replies come first; a replay
   has these alone.
2. `done` takes the result of a step from its artefact, or works it out and keeps it; `decided`
   keeps a decision, which a replay takes anew and compares.
3. `notify` reports stages, `note` adds to the report; `ended_by` turns what ends a run early into
   the stop of its report.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from steelyard.errors import (
    ArtefactError,
    BudgetError,
    InfrastructureError,
    ModelError,
    RecordingError,
    ReplyError,
    ScriptError,
    SteelyardError,
)
from steelyard.models import Budget, Model, Reply, Request, Role, ask
from steelyard.options import beside
from steelyard.runs._folder import RunFolder
from steelyard.runs._paid_replies import open_budget
from steelyard.sandbox import CellPool
from steelyard.schemas import Event, OnEvent, Spending

R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")


class Run(RunFolder):
    """One run, in a folder once it has begun, is reopened or replayed.

    Args:
        job: The job in events.
        pool: Where programs run.
        seed: The seed for models that take one.
        model_of: For roles without a model of their own, the role whose model answers.
        on_event: Receives each stage as it begins.
        option: The option of the command that names the folder, for errors.
    """

    def __init__(
        self,
        job: str,
        pool: CellPool,
        *,
        seed: int = 0,
        model_of: Mapping[str, str] | None = None,
        on_event: OnEvent | None = None,
        option: str = "--logs",
    ) -> None:
        super().__init__(option)
        self.pool, self.on_event = pool, on_event
        self._job, self._seed, self._model_of = job, seed, model_of or {}
        self._models: Mapping[str, Model] = {}
        self._budget = Budget()
        self._attempts: dict[str, int] = {}
        self._cached = 0
        self._notes: dict[str, None] = {}
        self._remarks: set[str] = set()
        self.last_reply = ""
        """The text of the last reply, valid or not."""

    def use(
        self,
        models: Mapping[str, Model],
        max_cost_usd: float | None = None,
        max_tokens: int | None = None,
    ) -> None:
        """Ask these models, by role, within these limits.

        Raises:
            SettingsError: if the cost is limited and a model's price is unknown.
        """
        self._models = models
        self._budget = open_budget(max_cost_usd, max_tokens, models)

    @property
    def asks(self) -> bool:
        """True if the run has models."""
        return bool(self._models)

    @property
    def spending(self) -> Spending:
        """The spending so far."""
        spent = self._budget.spent
        return Spending(
            calls=spent.replies,
            cached_calls=self._cached,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            cost_usd=None if spent.unpriced else spent.cost_usd,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes so far, and what the reader of the report should know about the replies."""
        return (*self._notes, *sorted(self._remarks))

    def note(self, text: str) -> None:
        """Add a note to the report, once."""
        self._notes[text] = None

    def notify(self, stage: str, message: str = "", share: float | None = None) -> None:
        """Report that a stage begins."""
        if self.on_event is not None:
            event = Event(
                job=self._job, stage=stage, message=message, share=share, iteration=self.iteration
            )
            self.on_event(event)

    async def ask(
        self,
        role: Role[R],
        values: Mapping[str, Any],
        data: Mapping[str, str],
        fault_of: Callable[[R], Awaitable[str | None]] | None = None,
        *,
        attempt: int | None = None,
    ) -> R:
        """Ask a model in a role, and return its value.

        Args:
            role: The role.
            values: The values for the role's prompt.
            data: The texts to work on, by name.
            fault_of: Returns the fault of a value, which then goes back to the model.
            attempt: The number of the role's attempt, which sets its temperature; None counts
                the requests of the role.

        Raises:
            ReplyError, BudgetError, ModelError: as in `models.ask`.
            ArtefactError: if the reply cannot be stored.
        """
        if attempt is None:
            attempt = self._attempts.get(role.name, 0)
            self._attempts[role.name] = attempt + 1
        model = self._models[self._model_of.get(role.name, role.name)]

        def keep(request: Request, reply: Reply) -> None:
            self._cached += reply.from_cache
            self.last_reply = reply.text
            if reply.temperature_refused:
                without = "does not accept a temperature: it was called without a temperature"
                self._remarks.add(f"{model.name} {without}")
            self.keep_exchange(model.name, request, reply)

        answer = await ask(
            _Kept(model, self),
            role,
            values,
            data,
            budget=self._budget,
            seed=self._seed,
            attempt=attempt,
            on_exchange=keep,
            fault_of=fault_of,
        )
        self._remarks.update(f"{role.name}: {note}" for note in answer.notes)
        return answer.value

    def decided(self, name: str, form: Any, decision: T) -> T:
        """Return the earlier decision in a resumed run; a replay decides anew."""
        kept = self.keep(name, form, decision)
        return decision if self.reads_only else kept

    async def done(self, name: str, form: Any, make: Callable[[], Any]) -> Any:
        """Return the result of a blocking step: from its artefact, or run in a thread."""
        known = self.known(name, form)
        if known is not None or self.reads_only:
            return self.keep(name, form, known)
        return self.keep(name, form, await beside(make))


class _Kept:
    """A model that is called only if its reply can be stored."""

    def __init__(self, model: Model, run: Run) -> None:
        self._model, self._run = model, run
        self.name = model.name

    async def complete(self, request: Request) -> Reply:
        self._run.take_room(request)
        reply = await self._model.complete(request)
        if reply.not_kept:
            self._run.note(f"a reply is stored in this run's artefacts only: {reply.not_kept}")
        return reply


Fault = Literal["budget", "models", "sandbox", "logs"]
MACHINE_FAULTS: tuple[Fault, ...] = ("models", "sandbox", "logs")
"""Stops that are no fault of the program's, and that no decision of the run explains."""
FAULTS = (BudgetError, ReplyError, ScriptError, RecordingError, InfrastructureError)
"""Errors that end a run early: its report has all findings so far."""
_STOPS: tuple[tuple[type[SteelyardError], Fault], ...] = (
    (BudgetError, "budget"),
    (ArtefactError, "logs"),
    (ModelError, "models"),
    (InfrastructureError, "sandbox"),
)


def ended_by(error: SteelyardError) -> tuple[Literal["failed", "sandbox_error"], Fault]:
    """Return the status and the stop of a run that one of `FAULTS` ends."""
    stop: Fault = "models"
    stop = next((each for form, each in _STOPS if isinstance(error, form)), stop)
    return ("sandbox_error" if stop in ("logs", "sandbox") else "failed"), stop
