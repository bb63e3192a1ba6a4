"""A recording gives equal requests their own replies, and says what else differs."""

import pytest

from steelyard.errors import RecordingError
from steelyard.models import ChatTurn, RecordedModel, Reply, Request
from tests.unit.models.exchanges import a_reply, a_request


class Live:
    name = "openai:gpt-4.1"

    async def complete(self, request: Request) -> Reply:
        return a_reply(f"live {request.role}")


async def test_replies_are_found_by_request_whatever_the_order() -> None:
    exchanges = [(a_request(seed=seed), a_reply(str(seed))) for seed in range(5)]
    model = RecordedModel("openai:gpt-4.1", exchanges)
    assert model.name == "openai:gpt-4.1"
    for request, reply in reversed(exchanges):
        assert await model.complete(request) == reply  # with what it cost
    assert model.left == 0


async def test_a_repeated_request_gets_its_replies_in_order() -> None:
    exchanges = [(a_request(), a_reply(text)) for text in ("one", "two")]
    model = RecordedModel("m", exchanges)
    assert model.left == 2
    assert (await model.complete(a_request())).text == "one"
    assert (await model.complete(a_request())).text == "two"
    with pytest.raises(RecordingError, match=r"coder, attempt 0: every recorded reply was used"):
        await model.complete(a_request())


async def test_what_is_missing_is_named_with_what_differs() -> None:
    other = ChatTurn(author="user", text="Something else.")
    model = RecordedModel("m", [(a_request(attempt=2), a_reply()), (a_request(seed=9), a_reply())])
    with pytest.raises(RecordingError, match=r"role coder, attempt 2: .* another messages;"):
        await model.complete(a_request(attempt=2, messages=(other,)))
    with pytest.raises(RecordingError, match=r"role planner, attempt 0: it has the roles coder"):
        await model.complete(a_request(role="planner"))
    with pytest.raises(RecordingError, match=r"the roles \(none\)"):
        await RecordedModel("m", []).complete(a_request())


async def test_what_is_not_recorded_is_asked_for_where_there_is_a_model() -> None:
    model = RecordedModel("m", [(a_request(), a_reply("recorded"))], Live())
    assert (await model.complete(a_request())).text == "recorded"
    assert (await model.complete(a_request())).text == "live coder"
    assert (await model.complete(a_request(role="planner"))).text == "live planner"
