"""A cached model pays once, and what it gives from the cache has cost nothing."""

import asyncio
import threading
from pathlib import Path

import pytest

from steelyard.errors import CacheKeyError, ModelTransportError
from steelyard.models import CachedModel, Reply, ReplyCache, Request
from tests.unit.models.exchanges import KEY, OTHER_KEY, a_reply, a_request


class Counting:
    """A model that counts what is paid for, and answers when the gate is open."""

    name = "openai:gpt-4.1"

    def __init__(self) -> None:
        self.paid: list[Request] = []
        self.faults = 0
        self.finish = "stop"
        self.asked = threading.Event()
        self.gate = threading.Event()
        self.gate.set()

    async def complete(self, request: Request) -> Reply:
        self.paid.append(request)
        number = len(self.paid)
        self.asked.set()
        while not self.gate.is_set():
            await asyncio.sleep(0.001)
        if self.faults:
            self.faults -= 1
            raise ModelTransportError("the line is cut")
        return a_reply(f"reply {number}", finish=self.finish)


@pytest.fixture
def cache(tmp_path: Path) -> ReplyCache:
    return ReplyCache(tmp_path / "replies.sqlite3", KEY)


@pytest.fixture
def model() -> Counting:
    return Counting()


async def test_a_second_equal_request_is_free(cache: ReplyCache, model: Counting) -> None:
    cached = CachedModel(model, cache)
    assert cached.name == model.name
    assert await cached.complete(a_request()) == a_reply("reply 1")
    again = await CachedModel(model, cache).complete(a_request())
    assert again.text == "reply 1"
    assert again.from_cache
    assert (again.tokens_in, again.tokens_out, again.cost_usd) == (0, 0, 0.0)
    assert len(model.paid) == 1
    assert (await cached.complete(a_request(attempt=1))).text == "reply 2"


async def test_equal_requests_at_once_are_paid_for_once(
    cache: ReplyCache, model: Counting, tmp_path: Path
) -> None:
    model.gate.clear()
    same_file = ReplyCache(tmp_path / "x" / ".." / "replies.sqlite3", KEY)
    models = [CachedModel(model, each) for each in (cache, cache, same_file)]
    tasks = [
        asyncio.create_task(each.complete(a_request(seed=seed)))
        for each in models
        for seed in (1, 1, 2)
    ]
    while len(model.paid) < 2:
        await asyncio.sleep(0.001)
    model.gate.set()
    replies = await asyncio.gather(*tasks)
    assert len(model.paid) == 2
    assert sum(not each.from_cache for each in replies) == 2
    assert len({each.text for each in replies}) == 2


def test_threads_with_loops_of_their_own_pay_once(cache: ReplyCache, model: Counting) -> None:
    model.gate.clear()
    replies: list[Reply] = []

    def run() -> None:
        replies.append(asyncio.run(CachedModel(model, cache).complete(a_request())))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert model.asked.wait(60)
    model.gate.set()
    for thread in threads:
        thread.join(60)
    assert len(model.paid) == 1
    assert sorted(each.from_cache for each in replies) == [False, True, True, True]


async def test_when_the_paying_one_fails_another_one_asks(
    cache: ReplyCache, model: Counting
) -> None:
    model.gate.clear()
    model.faults = 1
    cached = CachedModel(model, cache)
    tasks = [asyncio.create_task(cached.complete(a_request())) for _ in range(3)]
    while not model.paid:
        await asyncio.sleep(0.001)
    model.gate.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(isinstance(each, ModelTransportError) for each in ends) == 1
    assert len(model.paid) == 2
    assert sum(isinstance(each, Reply) and each.from_cache for each in ends) == 1


async def test_when_the_paying_one_is_cancelled_another_one_asks(
    cache: ReplyCache, model: Counting
) -> None:
    model.gate.clear()
    cached = CachedModel(model, cache)
    paying, waiting, leaving = (asyncio.create_task(cached.complete(a_request())) for _ in range(3))
    while not model.paid:
        await asyncio.sleep(0.001)
    leaving.cancel()  # one who only waits takes nobody along
    with pytest.raises(asyncio.CancelledError):
        await leaving
    paying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await paying
    model.gate.set()
    assert (await waiting).text == "reply 2"


async def test_a_wrong_key_costs_nothing(
    cache: ReplyCache, model: Counting, tmp_path: Path
) -> None:
    other = CachedModel(model, ReplyCache(tmp_path / "replies.sqlite3", OTHER_KEY))
    await CachedModel(model, cache).complete(a_request())
    with pytest.raises(CacheKeyError):
        await other.complete(a_request(seed=1))
    assert len(model.paid) == 1


async def test_a_reply_that_cannot_be_kept_is_given_all_the_same(
    cache: ReplyCache, model: Counting
) -> None:
    model.gate.clear()
    cached = CachedModel(model, cache)
    tasks = [asyncio.create_task(cached.complete(a_request())) for _ in range(2)]
    while not model.paid:
        await asyncio.sleep(0.001)
    cache._connection.execute("PRAGMA query_only = ON")
    model.gate.set()
    replies = await asyncio.gather(*tasks)
    assert [each.text for each in replies] == ["reply 1", "reply 1"]
    assert len(model.paid) == 1
    assert "readonly" in replies[0].not_kept
    cache._connection.execute("PRAGMA query_only = OFF")
    assert await cached.complete(a_request()) == a_reply("reply 2")


async def test_a_reply_that_was_not_read_is_not_kept(cache: ReplyCache) -> None:
    class Large(Counting):
        async def complete(self, request: Request) -> Reply:
            await super().complete(request)
            return a_reply("(too large)", finish="too-large")

    model = Large()
    for _ in range(2):
        reply = await CachedModel(model, cache).complete(a_request())
        assert (reply.finish, reply.from_cache, reply.not_kept) == ("too-large", False, "")
    assert len(model.paid) == 2


async def test_a_reply_that_a_full_context_cut_is_asked_for_again(
    cache: ReplyCache, model: Counting
) -> None:
    model.finish = "context"  # its server may have a larger one by then
    for number in (1, 2):
        assert (await CachedModel(model, cache).complete(a_request())).text == f"reply {number}"
