"""Ask the models of one run, and keep every exchange."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from steelyard.journal._journal import Journal
from steelyard.models import Budget, Model, Reply, Request, Role, Spent, ask
from steelyard.schemas import Spending

R = TypeVar("R", bound=BaseModel)


class Asker:
    """The models of one run.

    Args:
        models: The models by role.
        journal: Keeps every exchange.
        budget: Pays for the requests.
        seed: The seed for models that take one.
        model_of: For roles without a model of their own, the role whose model answers.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        journal: Journal,
        budget: Budget,
        seed: int,
        model_of: Mapping[str, str],
    ) -> None:
        self._models, self._model_of = models, model_of
        self._journal, self._budget, self._seed = journal, budget, seed
        self._attempts: dict[str, int] = {}
        self._cached = 0
        self._temperature_refused: set[str] = set()
        self._not_kept: set[str] = set()
        self._deviations: set[str] = set()

    @property
    def spending(self) -> Spending:
        """The spending so far."""
        spent: Spent = self._budget.spent
        return Spending(
            calls=spent.replies,
            cached_calls=self._cached,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            cost_usd=None if spent.unpriced else spent.cost_usd,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the reader of the result should know about the replies."""
        return (
            *(
                f"{name} does not accept a temperature: it was called without a temperature"
                for name in sorted(self._temperature_refused)
            ),
            *(
                f"a reply is stored in this run's artefacts only: {why}"
                for why in sorted(self._not_kept)
            ),
            *sorted(self._deviations),
        )

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
            if reply.temperature_refused:
                self._temperature_refused.add(model.name)
            if reply.not_kept:
                self._not_kept.add(reply.not_kept)
            self._journal.keep_exchange(model.name, request, reply)

        answer = await ask(
            _Kept(model, self._journal),
            role,
            values,
            data,
            budget=self._budget,
            seed=self._seed,
            attempt=attempt,
            on_exchange=keep,
            fault_of=fault_of,
        )
        self._deviations.update(f"{role.name}: {note}" for note in answer.notes)
        return answer.value


class _Kept:
    """A model that is called only if its reply can be stored."""

    def __init__(self, model: Model, journal: Journal) -> None:
        self._model, self._journal = model, journal
        self.name = model.name

    async def complete(self, request: Request) -> Reply:
        self._journal.take_room(request)
        return await self._model.complete(request)
