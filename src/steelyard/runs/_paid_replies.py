"""Open the models of a run by role, each preceded by its recorded replies, and its budget."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from steelyard.errors import ModelNameError, SettingsError
from steelyard.models import (
    Budget,
    CachedModel,
    Model,
    RecordedModel,
    Reply,
    ReplyCache,
    Request,
    ScriptedModel,
    open_model,
    open_reply_cache,
)
from steelyard.runs._artefacts import Exchange
from steelyard.settings import current_settings


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
