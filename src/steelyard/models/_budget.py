"""What a run may cost, and what it has cost."""

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
    """What was paid for: replies from a cache are not counted."""

    replies: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    """Of the replies whose price is known."""
    unpriced: int = 0
    """How many replies have no known price."""

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.tokens_in + self.tokens_out


class Budget:
    """A bound on a run's cost and tokens, for use by any number of tasks and threads.

    A request is stopped before it is sent where the most that it and its reply may use would go
    beyond, counted with the most of requests under way: its own bytes and the reply's
    `max_tokens`. So the bound holds with every provider that keeps to `max_tokens`. Where one does
    not, or a script states costs of its own, the reply is kept, and nothing is sent after it.
    """

    def __init__(
        self,
        max_cost_usd: float | None = None,
        max_tokens: int | None = None,
        *,
        settings: ModelSettings | None = None,
        spent: Spent | None = None,
    ) -> None:
        """A budget; None means no bound.

        Args:
            max_cost_usd: The most US dollars.
            max_tokens: The most tokens, in and out together.
            settings: Where prices may stand; the usual ones by default.
            spent: What the run has cost before.
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
        """What was paid for so far."""
        return self._spent

    @property
    def exhausted(self) -> bool:
        """No request may follow, of whatever price."""
        return (self.max_tokens is not None and self._spent.tokens >= self.max_tokens) or (
            self.max_cost_usd is not None and self._spent.cost_usd > self.max_cost_usd
        )

    def check_price(self, name: str) -> None:
        """Make sure that the model's cost can be bounded, before anything is paid for.

        Args:
            name: The model's name, such as `openai:gpt-4.1`.

        Raises:
            SettingsError: where a cost is bounded and the model's price is not known.
        """
        if self.max_cost_usd is not None:
            self._cost(ModelName.parse(name), 1, 1)

    @contextmanager
    def hold(self, request: Request) -> Iterator[None]:
        """Around a request: it may be sent, and its greatest use is set aside meanwhile.

        Raises:
            BudgetError: where the request may go beyond.
            SettingsError: where a cost is bounded and the model's price is not known.
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
        """Count a reply. It is free where it comes from a cache."""
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
                f"the run may use {self.max_tokens:,} tokens, has used {spent.tokens:,}, and the "
                f"next request with its reply may take up to {tokens:,}; allow more with "
                "--max-tokens"
            )
        if (
            self.max_cost_usd is not None
            and spent.cost_usd + self._held_usd + usd > self.max_cost_usd
        ):
            raise BudgetError(
                f"the run may cost ${self.max_cost_usd:.4g}, has cost ${spent.cost_usd:.4g}, and "
                f"the next request with its reply may cost up to ${usd:.4g}; allow more with "
                "--max-cost"
            )

    def _cost(self, name: ModelName, tokens_in: int, tokens_out: int) -> float:
        cost = cost_usd(name, self._settings, tokens_in, tokens_out)
        if cost is None:
            example = f'{{"{name.provider}:{name.model}": {{"input": 1.0, "output": 4.0}}}}'
            raise SettingsError(
                f"the price of {name.provider}:{name.model} is not known, so its cost cannot be "
                "bounded; set it, in dollars per million tokens: "
                f"STEELYARD_MODELS__PRICES='{example}'"
            )
        return cost
