"""Price tokens, limit what a run may cost, and count what it has cost.

A price comes from the settings, or else from the public table of genai-prices.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from steelyard.errors import BudgetError, SettingsError
from steelyard.models._names import SCRIPTED, ModelName, endpoint_of
from steelyard.models._request import Reply, Request, most_tokens_in
from steelyard.settings import ModelSettings

_FIRST_REPLY = 4_096
"""Tokens of a role's first reply that are reserved at least."""
_ROOM = 2
"""A reply may take so many times the tokens of the role's largest one so far."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The replies, tokens and costs that a run has paid for, without replies from a cache."""

    replies: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    """The cost of the replies whose price is known."""
    unpriced: int = 0
    """The number of replies without a known price."""

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.tokens_in + self.tokens_out


class Budget:
    """A limit on a run's cost and tokens, safe to use from any number of tasks and threads.

    A request reserves what its reply may really take: its own bytes, and the limit on the reply's
    tokens. If the rest of the budget is below that, the limit that is sent is lowered to the rest,
    as long as it has room for the largest reply so far of the role. So the budget is a hard bound
    with every provider that respects `max_tokens`. If a provider does not, or a script sets its own
    costs, the reply is kept and nothing is sent after it.
    """

    def __init__(
        self,
        max_cost_usd: float | None = None,
        max_tokens: int | None = None,
        *,
        settings: ModelSettings | None = None,
        spent: Spent | None = None,
    ) -> None:
        """Make a budget; None means no limit.

        Args:
            max_cost_usd: Limit on the cost, in US dollars.
            max_tokens: Limit on the tokens, in and out together.
            settings: Settings with prices; None for the default settings.
            spent: What the run has paid for before.
        """
        self.max_cost_usd = max_cost_usd
        self.max_tokens = max_tokens
        self._settings = settings or ModelSettings()
        self._spent = spent or Spent()
        self._held_tokens = 0
        self._held_usd = 0.0
        self._largest: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spent:
        """The replies, tokens and costs that were paid for so far."""
        return self._spent

    def check_price(self, name: str) -> None:
        """Check that the model's cost can be limited, before anything is paid for.

        Args:
            name: The model's name, such as `openai:gpt-4.1`.

        Raises:
            SettingsError: if the cost is limited and the model's price is unknown.
        """
        if self.max_cost_usd is not None:
            self._cost(ModelName.parse(name), 1, 1)

    @contextmanager
    def hold(self, request: Request) -> Iterator[Request]:
        """Reserve what a request may take while it is under way.

        Yields:
            The request, with a lower limit on its reply if the rest of the budget needs one.

        Raises:
            BudgetError: if the request could exceed the limit.
            SettingsError: if the cost is limited and the model's price is unknown.
        """
        tokens_in = most_tokens_in(request)
        name = ModelName(request.provider, request.model, request.base_url)

        def usd_of(tokens_out: int) -> float:
            return 0.0 if self.max_cost_usd is None else self._cost(name, tokens_in, tokens_out)

        # A reply of the role is not worth a request without so many tokens.
        largest = self._largest.get(request.role)
        least = min(request.max_tokens, _FIRST_REPLY if largest is None else _ROOM * largest)
        with self._lock:
            tokens_out = request.max_tokens
            if not self._fits(tokens_in + tokens_out, usd_of(tokens_out)):
                if fault := self._fault(tokens_in + least, usd_of(least)):
                    raise fault
                tokens_out = self._most_that_fits(tokens_in, usd_of, least, request.max_tokens)
            tokens, usd = tokens_in + tokens_out, usd_of(tokens_out)
            self._held_tokens += tokens
            self._held_usd += usd
        lower = tokens_out < request.max_tokens
        try:
            yield request.model_copy(update={"affordable_tokens": tokens_out}) if lower else request
        finally:
            with self._lock:
                self._held_tokens -= tokens
                self._held_usd -= usd

    def _most_that_fits(
        self, tokens_in: int, usd_of: Callable[[int], float], least: int, most: int
    ) -> int:
        while least < most:
            middle = (least + most + 1) // 2
            if self._fits(tokens_in + middle, usd_of(middle)):
                least = middle
            else:
                most = middle - 1
        return least

    def _fits(self, tokens: int, usd: float) -> bool:
        return self._fault(tokens, usd) is None

    def pay(self, reply: Reply, role: str = "") -> None:
        """Count a reply; a reply from a cache is free."""
        if reply.from_cache:
            return
        with self._lock:
            self._largest[role] = max(self._largest.get(role, 1), reply.tokens_out)
            self._spent = replace(
                self._spent,
                replies=self._spent.replies + 1,
                tokens_in=self._spent.tokens_in + reply.tokens_in,
                tokens_out=self._spent.tokens_out + reply.tokens_out,
                cost_usd=self._spent.cost_usd + (reply.cost_usd or 0.0),
                unpriced=self._spent.unpriced + (reply.cost_usd is None),
            )

    def _fault(self, tokens: int, usd: float) -> BudgetError | None:
        """Return the error of a request that may take so much; None if there is room for it."""
        spent = self._spent
        if (
            self.max_tokens is not None
            and spent.tokens + self._held_tokens + tokens > self.max_tokens
        ):
            return BudgetError(
                f"the next request may use up to {tokens:,} tokens with its reply; the run has "
                f"used {spent.tokens:,} and may use {self.max_tokens:,}; allow more with "
                "--max-tokens"
            )
        if (
            self.max_cost_usd is not None
            and spent.cost_usd + self._held_usd + usd > self.max_cost_usd
        ):
            return BudgetError(
                f"the next request may cost up to ${usd:.4g} with its reply; the run has cost "
                f"${spent.cost_usd:.4g} and may cost ${self.max_cost_usd:.4g}; allow more with "
                "--max-cost"
            )
        return None

    def _cost(self, name: ModelName, tokens_in: int, tokens_out: int) -> float:
        cost = cost_usd(name, self._settings, tokens_in, tokens_out)
        if cost is None:
            example = f'{{"{name.provider}:{name.model}": {{"input": 1.0, "output": 4.0}}}}'
            raise SettingsError(
                f"the price of {name.provider}:{name.model} is unknown, so its cost cannot be "
                "limited; set it, in dollars per million tokens: "
                f"STEELYARD_MODELS__PRICES='{example}'"
            )
        return cost


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
        return (tokens_in * price.input + tokens_out * price.output) / 1_000_000
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
