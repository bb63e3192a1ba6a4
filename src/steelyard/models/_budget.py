"""Limit what a run may cost, and count what it has cost."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from steelyard.errors import BudgetError, SettingsError
from steelyard.models._names import ModelName
from steelyard.models._prices import cost_usd
from steelyard.models._request import Reply, Request, most_tokens_in
from steelyard.settings import ModelSettings

__all__ = ["Budget", "Spent"]


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

    Each request is priced at its worst case before it is sent: its own bytes and the reply's
    `max_tokens`, together with the worst cases of the requests under way. A request that could
    exceed the limit is not sent. So the limit holds with every provider that respects
    `max_tokens`. If a provider does not, or a script sets its own costs, the reply is kept and
    nothing is sent after it.
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
    def hold(self, request: Request) -> Iterator[None]:
        """Reserve a request's worst case while it is under way.

        Raises:
            BudgetError: if the request could exceed the limit.
            SettingsError: if the cost is limited and the model's price is unknown.
        """
        tokens_in = most_tokens_in(request)
        tokens = tokens_in + request.max_tokens
        usd = 0.0
        if self.max_cost_usd is not None:
            name = ModelName(request.provider, request.model, request.base_url)
            usd = self._cost(name, tokens_in, request.max_tokens)
        with self._lock:
            self._check(tokens, usd)
            self._held_tokens += tokens
            self._held_usd += usd
        try:
            yield
        finally:
            with self._lock:
                self._held_tokens -= tokens
                self._held_usd -= usd

    def pay(self, reply: Reply) -> None:
        """Count a reply; a reply from a cache is free."""
        if reply.from_cache:
            return
        with self._lock:
            self._spent = replace(
                self._spent,
                replies=self._spent.replies + 1,
                tokens_in=self._spent.tokens_in + reply.tokens_in,
                tokens_out=self._spent.tokens_out + reply.tokens_out,
                cost_usd=self._spent.cost_usd + (reply.cost_usd or 0.0),
                unpriced=self._spent.unpriced + (reply.cost_usd is None),
            )

    def _check(self, tokens: int, usd: float) -> None:
        spent = self._spent
        if (
            self.max_tokens is not None
            and spent.tokens + self._held_tokens + tokens > self.max_tokens
        ):
            raise BudgetError(
                f"the next request may use up to {tokens:,} tokens with its reply; the run has "
                f"used {spent.tokens:,} and may use {self.max_tokens:,}; allow more with "
                "--max-tokens"
            )
        if (
            self.max_cost_usd is not None
            and spent.cost_usd + self._held_usd + usd > self.max_cost_usd
        ):
            raise BudgetError(
                f"the next request may cost up to ${usd:.4g} with its reply; the run has cost "
                f"${spent.cost_usd:.4g} and may cost ${self.max_cost_usd:.4g}; allow more with "
                "--max-cost"
            )

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
