"""Price tokens: by the settings first, then by the public table of genai-prices."""

from steelyard.models._names import SCRIPTED, ModelName, endpoint_of
from steelyard.settings import ModelSettings

_MILLION = 1_000_000


def cost_usd(
    name: ModelName, settings: ModelSettings, tokens_in: int, tokens_out: int, cached: int = 0
) -> float | None:
    """Return the cost of tokens of a model; None if its price is unknown.

    A model on this machine, of a server without a key, or that answers from files is free unless a
    setting prices it.

    Args:
        name: The model.
        settings: Settings with prices.
        tokens_in: The tokens of the request, including those that the provider had cached.
        tokens_out: The tokens of the reply.
        cached: The number of `tokens_in` that the provider had cached; they are cheaper.

    Raises:
        ModelNameError: if its provider is unknown.
        SettingsError: if a setting or a variable has an invalid address.
    """
    named = (settings.prices.get(each) for each in (str(name), f"{name.provider}:{name.model}"))
    price = next((each for each in named if each), None)
    if price is None and name.provider != SCRIPTED:
        endpoint = endpoint_of(name, settings)
        price = endpoint.price
    if price is not None:
        return (tokens_in * price.input + tokens_out * price.output) / _MILLION
    if name.provider == SCRIPTED or endpoint.loopback:
        return 0.0
    if endpoint.provider.key_variable is None:
        return None if endpoint.key_variable else 0.0
    from genai_prices import Usage, calc_price  # noqa: PLC0415 - an extra, and slow to import

    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out, cache_read_tokens=cached)
    try:
        return float(calc_price(usage, name.model, provider_id=name.provider).total_price)
    except (LookupError, ValueError):
        return None
