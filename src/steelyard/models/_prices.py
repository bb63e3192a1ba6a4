"""What tokens cost: the settings' prices go first, then the public table of genai-prices."""

from steelyard.models._names import ModelName
from steelyard.models._providers import PROVIDERS
from steelyard.settings import ModelSettings

__all__ = ["cost_usd"]

_MILLION = 1_000_000


def cost_usd(
    name: ModelName, settings: ModelSettings, tokens_in: int, tokens_out: int, cached: int = 0
) -> float | None:
    """What so many tokens of the model cost; None where its price is not known.

    A model that the user runs, or that answers from files, costs nothing unless a setting says.

    Args:
        name: The model.
        settings: Where prices may stand.
        tokens_in: The tokens of the request, with those that the provider had cached.
        tokens_out: The tokens of the reply.
        cached: How many of `tokens_in` the provider had cached; they are cheaper.
    """
    for known_as in (str(name), f"{name.provider}:{name.model}"):
        if price := settings.prices.get(known_as):
            return (tokens_in * price.input + tokens_out * price.output) / _MILLION
    provider = PROVIDERS.get(name.provider)
    if provider is None or provider.key_variable is None:
        return 0.0
    from genai_prices import Usage, calc_price  # noqa: PLC0415 - an extra, and slow to import

    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out, cache_read_tokens=cached)
    try:
        return float(calc_price(usage, name.model, provider_id=name.provider).total_price)
    except (LookupError, ValueError):
        return None
