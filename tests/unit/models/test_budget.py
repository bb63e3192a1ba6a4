"""A budget stops a request that may go beyond before it is sent: it is never passed."""

import threading

import pytest

from steelyard.errors import BudgetError, SettingsError
from steelyard.models import Budget, Request, Spent
from steelyard.settings import ModelPrice, ModelSettings
from tests.unit.models.exchanges import a_reply, a_request

PRICES = ModelSettings(prices={"openai:mine": ModelPrice(input=1_000_000, output=1_000_000)})
"""A dollar a token."""
_FRAMES = 2 * 16
"""What is counted around an empty system prompt and a message."""


def asks(most: int, model: str = "mine", reply: int = 1) -> Request:
    """A request that can take so many tokens, with its reply."""
    message = {"author": "user", "text": "x" * (most - reply - _FRAMES)}
    return a_request(model=model, system="", messages=(message,), max_tokens=reply)


def test_without_bounds_all_is_counted() -> None:
    budget = Budget()
    with budget.hold(asks(50, "unknown")):
        budget.pay(a_reply(tokens_in=7, tokens_out=2, cost_usd=0.5))
    budget.pay(a_reply(tokens_in=1, tokens_out=1, cost_usd=None))
    assert budget.spent == Spent(replies=2, tokens_in=8, tokens_out=3, cost_usd=0.5, unpriced=1)
    assert budget.spent.tokens == 11


def test_a_reply_from_the_cache_is_free() -> None:
    budget = Budget(max_tokens=1)
    budget.pay(a_reply(from_cache=True))
    assert budget.spent == Spent()


@pytest.mark.parametrize("reply", [1, 40])
def test_a_request_that_may_go_beyond_is_stopped(reply: int) -> None:
    budget = Budget(max_tokens=100)
    with budget.hold(asks(100, reply=reply)):
        pass
    refused = pytest.raises(BudgetError, match=r"up to 101 tokens .* may use 100;")
    with refused, budget.hold(asks(101, reply=reply)):
        pytest.fail("it was let through")


@pytest.mark.parametrize("reply", [1, 40])
def test_a_request_that_may_cost_too_much_is_stopped(reply: int) -> None:
    budget = Budget(max_cost_usd=100, settings=PRICES)
    with budget.hold(asks(100, reply=reply)):
        pass
    refused = pytest.raises(BudgetError, match=r"up to \$101 .* may cost \$100;")
    with refused, budget.hold(asks(101, reply=reply)):
        pytest.fail("it was let through")


def test_a_reply_costs_what_its_price_says() -> None:
    dear = ModelSettings(prices={"openai:mine": ModelPrice(input=0, output=1_000_000)})
    budget = Budget(max_cost_usd=40, settings=dear)
    with budget.hold(asks(10_000, reply=40)):
        pass
    with pytest.raises(BudgetError), budget.hold(asks(10_000, reply=41)):
        pytest.fail("it was let through")


def test_characters_of_several_bytes_may_be_as_many_tokens() -> None:
    message = {"author": "user", "text": "\N{SNOWMAN}" * 10}
    request = a_request(system="\N{SNOWMAN}", messages=(message,), max_tokens=1)
    with Budget(max_tokens=_FRAMES + 34).hold(request):
        pass
    with pytest.raises(BudgetError), Budget(max_tokens=_FRAMES + 33).hold(request):
        pytest.fail("it was let through")


@pytest.mark.parametrize("bounds", [{"max_tokens": 50}, {"max_cost_usd": 50.0}])
def test_nothing_follows_a_reply_that_went_beyond(bounds: dict[str, float]) -> None:
    budget = Budget(**bounds, settings=PRICES)  # type: ignore[arg-type]
    with budget.hold(asks(50)):
        budget.pay(a_reply(tokens_in=40, tokens_out=40, cost_usd=80.0))  # kept: it is paid for
    with pytest.raises(BudgetError, match=r"has (used|cost)"), budget.hold(asks(50)):
        pytest.fail("it was let through")


def test_what_was_spent_before_counts() -> None:
    budget = Budget(max_tokens=100, spent=Spent(replies=1, tokens_in=60))
    with pytest.raises(BudgetError), budget.hold(asks(50)):
        pytest.fail("it was let through")


def test_requests_under_way_are_set_aside() -> None:
    budget = Budget(max_tokens=120)
    with (
        budget.hold(asks(50)),
        budget.hold(asks(50)),
        pytest.raises(BudgetError),
        budget.hold(asks(50)),
    ):
        pytest.fail("it was let through")
    with budget.hold(asks(120)):  # what was set aside is free again
        pass


def test_a_failed_request_gives_back_what_was_set_aside() -> None:
    budget = Budget(max_tokens=100)
    with pytest.raises(OSError, match="cut"), budget.hold(asks(80)):
        raise OSError("cut")
    with budget.hold(asks(80)):
        pass


def test_an_unknown_price_is_told_before_anything_is_paid() -> None:
    budget = Budget(max_cost_usd=1.0)
    for check in (lambda: budget.check_price("openai:unheard-of"), lambda: _enter(budget)):
        with pytest.raises(SettingsError, match=r"STEELYARD_MODELS__PRICES.*openai:unheard-of"):
            check()
    Budget(max_tokens=1).check_price("openai:unheard-of")


def _enter(budget: Budget) -> None:
    with budget.hold(asks(50, "unheard-of")):
        pytest.fail("it was let through")


def test_known_prices_and_those_of_ones_own_models_need_no_setting() -> None:
    pytest.importorskip("genai_prices")
    budget = Budget(max_cost_usd=1.0)
    for name in ("openai:gpt-4.1", "anthropic:claude-opus-4", "ollama:any", "scripted:any"):
        budget.check_price(name)


def test_a_free_model_may_go_on_when_the_money_is_spent() -> None:
    budget = Budget(max_cost_usd=0.0)
    for _ in range(2):
        with budget.hold(a_request(provider="ollama", model="llama3")):
            budget.pay(a_reply(cost_usd=0.0))
    assert budget.spent.replies == 2


def test_no_payment_is_lost_between_threads() -> None:
    budget = Budget(max_tokens=10**9)
    reply = a_reply(tokens_in=1, tokens_out=1, cost_usd=1.0)

    def pay() -> None:
        for _ in range(500):
            with budget.hold(asks(50)):
                budget.pay(reply)

    threads = [threading.Thread(target=pay) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.spent == Spent(2_000, 2_000, 2_000, 2_000.0)


def test_a_reply_s_limit_is_lowered_to_what_is_left() -> None:
    budget = Budget(max_tokens=10_000)
    request = asks(30_000, reply=29_000)
    with budget.hold(request) as sent:
        assert sent.most_tokens_out == 9_000
        assert sent.key == request.key
        with pytest.raises(BudgetError), budget.hold(asks(5_000, reply=4_500)):
            pytest.fail("both together may go beyond")


def test_a_role_s_largest_reply_says_what_is_worth_a_request() -> None:
    budget = Budget(max_tokens=10_000)
    budget.pay(a_reply(tokens_in=0, tokens_out=1_000), "coder")
    with budget.hold(asks(30_000, reply=23_500)) as sent:
        assert sent.most_tokens_out == 2_500
    with pytest.raises(BudgetError), budget.hold(asks(30_000, reply=22_500)):
        pytest.fail("there is room for 1,500 tokens and the largest reply had 1,000")
