"""Ask the models of one run, and keep every exchange.

1. `open_models` opens the models by role. In a resumed run the recorded replies come first; in a
   replay, `recorded_models` gives these alone.
2. `open_budget` limits what they may cost.
3. `Asker` asks them. A model is called only if its reply can be stored, and each exchange is kept
   as soon as it is paid for.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar

from pydantic import BaseModel

from steelyard.errors import ModelNameError, SettingsError
from steelyard.journal._artefacts import Exchange
from steelyard.journal._journal import Journal
from steelyard.models import (
    Budget,
    CachedModel,
    Model,
    RecordedModel,
    Reply,
    ReplyCache,
    Request,
    Role,
    ScriptedModel,
    ask,
    open_model,
    open_reply_cache,
)
from steelyard.schemas import Spending
from steelyard.settings import current_settings

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


def open_models(
    names: Mapping[str, str],
    before: Sequence[Exchange],
    stack: ExitStack,
    *,
    given: Mapping[str, Model] | None = None,
    caching: bool = True,
) -> dict[str, Model]:
    """Return the models by role, each preceded by its recorded replies.

    Roles with one name share one model: a scripted one counts for all of them.

    Args:
        names: The models' names by role.
        before: The exchanges of the run so far.
        stack: Closes what is opened.
        given: Models that are open, by role.
        caching: Keep replies beyond the run, and reuse them.

    Raises:
        UsageError: if a name, a key or a script is wrong; the message names the role.
    """
    given, opened = given or {}, dict[str, Model]()
    cache: ReplyCache | None = None
    for name in dict.fromkeys(name for role, name in names.items() if role not in given):
        roles = [role for role, each in names.items() if each == name]
        model = _opened(name, roles)
        if isinstance(model, ScriptedModel):
            had = [each.request.role for each in before if each.asked == model.name]
            model.resume_after({role: had.count(role) for role in had})
        elif caching:
            if cache is None:
                cache = open_reply_cache()
                stack.callback(cache.close)
            model = CachedModel(model, cache)
        opened[name] = model
    models = {role: given.get(role) or opened[name] for role, name in names.items()}
    if not before:
        return models
    fronts = {
        model.name: RecordedModel(model.name, _pairs(before, model.name), model)
        for model in models.values()
    }
    return {role: fronts[model.name] for role, model in models.items()}


def recorded_models(names: Mapping[str, str], exchanges: Sequence[Exchange]) -> dict[str, Model]:
    """Return the models of a run, by role, with their recorded replies alone."""
    found: dict[str, Model] = {}
    for role, name in names.items():
        asked = next((each.asked for each in exchanges if each.request.role == role), name)
        known = next((model for model in found.values() if model.name == asked), None)
        found[role] = known or RecordedModel(asked, _pairs(exchanges, asked))
    return found


def open_budget(
    max_cost_usd: float | None, max_tokens: int | None, models: Mapping[str, Model]
) -> Budget:
    """Return a run's budget; if its cost is limited, each model's price must be known.

    Raises:
        SettingsError: if a price is unknown.
    """
    budget = Budget(max_cost_usd, max_tokens, settings=current_settings().models)
    for name in {model.name for model in models.values()}:
        if not name.startswith("scripted:"):
            budget.check_price(name)
    return budget


def _opened(name: str, roles: Sequence[str]) -> Model:
    """Return a model; an error names its first role."""
    try:
        return open_model(name)
    except (ModelNameError, SettingsError) as error:
        raise type(error)(
            f"{roles[0]}: {error}; or name another model (--models: for all roles)"
        ) from error


def _pairs(exchanges: Sequence[Exchange], name: str) -> list[tuple[Request, Reply]]:
    return [(each.request, each.reply) for each in exchanges if each.asked == name]
