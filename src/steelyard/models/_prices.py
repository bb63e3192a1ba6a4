"""Price tokens: by the settings first, then by the public table of genai-prices."""

from steelyard.models._names import ModelName
from steelyard.models._providers import PROVIDERS
from steelyard.settings import ModelSettings

__all__ = ["cost_usd"]

_MILLION = 1_000_000


def cost_usd(
    name: ModelName, settings: ModelSettings, tokens_in: int, tokens_out: int, cached: int = 0
) -> float | None:
    """Return the cost of tokens of a model; None if its price is unknown.

    A model that the user runs, or that answers from files, is free unless a setting prices it.

    Args:
        name: The model.
        settings: Settings with prices.
        tokens_in: The tokens of the request, including those that the provider had cached.
        tokens_out: The tokens of the reply.
        cached: The number of `tokens_in` that the provider had cached; they are cheaper.
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
