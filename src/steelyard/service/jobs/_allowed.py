"""Check which models a request names, and what it may spend on them."""

from collections.abc import Mapping

from steelyard.service._problems import Problem
from steelyard.settings import Settings


def allowed_models(
    settings: Settings, named: Mapping[str, str | None], usual: Mapping[str, str]
) -> dict[str, str]:
    """Return the models of a request by role.

    A name may lead to a file or to an address, so a request only names what the service offers.

    Args:
        settings: With the models that the service offers.
        named: The request's models by role; None for the usual one.
        usual: The service's own choice.

    Raises:
        Problem: 422 for a model that is not offered.
    """
    own = settings.models
    offered = dict.fromkeys((own.planner, own.coder, own.analyst, *settings.service.models))
    for role, name in named.items():
        if name is not None and name not in offered:
            raise Problem(
                422,
                "model-not-offered",
                "The service does not offer this model",
                f"{role}: the service offers {', '.join(offered)}; got {name[:100]!r}",
            )
    return {role: named.get(role) or name for role, name in usual.items()}


def allowed_spending(
    settings: Settings, max_cost_usd: float | None, max_tokens: int | None
) -> dict[str, float | int | None]:
    """Return the limits on what a request spends on models: its own, or the service's.

    Raises:
        Problem: 422 for a limit beyond the service's.
    """
    own = settings.service
    _check("cost", max_cost_usd, own.max_job_cost_usd, "US dollars")
    _check("token", max_tokens, own.max_job_tokens, "tokens")
    return {
        "max_cost_usd": own.max_job_cost_usd if max_cost_usd is None else max_cost_usd,
        "max_tokens": own.max_job_tokens if max_tokens is None else max_tokens,
    }


def _check(what: str, asked: float | None, most: float | None, unit: str) -> None:
    if asked is not None and most is not None and asked > most:
        raise Problem(
            422,
            f"{what}-limit-too-high",
            f"The {what} limit is beyond the service's",
            f"a run may have {most:g} {unit} at most, got {asked:g}",
            limit=most,
        )
