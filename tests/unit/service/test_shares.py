"""Share the service between callers: one with much does not keep out one with little."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack

import pytest
from fastapi import Response

from steelyard.service import Caller, Problem
from steelyard.service._auth import Rates
from steelyard.service._gate import Gate
from steelyard.service._replies import Replies
from steelyard.service._running import Stop, run_accepted
from steelyard.service.compat._go_judge import FileStore
from steelyard.service.pages._live import Followed, LiveStore

ANN = Caller("ann", "ann", frozenset({"judge"}))


class Endless(Followed):
    """Work that does not end."""

    is_done = False
    shown = 0


async def begin(gate: Gate, caller: str, order: list[str]) -> asyncio.Task[None]:
    """Let a request wait at a gate."""

    async def work() -> None:
        async with gate.admitted(caller):
            order.append(caller)

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    return task


async def test_those_who_wait_are_admitted_in_turns() -> None:
    gate, order = Gate(1, 100), list[str]()
    async with AsyncExitStack() as held:
        await held.enter_async_context(gate.admitted("first"))
        names = [*["many"] * 10, "few", "few"]
        waiting = [await begin(gate, name, order) for name in names]
        assert gate.waiting == 12
    await asyncio.gather(*waiting)
    assert order[:4] == ["many", "few", "many", "few"]
    assert (gate.working, gate.waiting) == (0, 0)


async def test_one_caller_never_has_all_of_several_places() -> None:
    gate, order = Gate(2, 100), list[str]()
    async with AsyncExitStack() as held:
        for _ in range(2):
            await held.enter_async_context(gate.admitted("many"))
        waiting = await begin(gate, "many", order)
        assert order == []
        async with AsyncExitStack() as other:
            await other.enter_async_context(gate.admitted("few"))
            assert (gate.working, gate.waiting) == (3, 1)
            await begin(gate, "third", order)
            assert order == [], "there is one further place"
        await asyncio.sleep(0)
        assert order == ["third"]
    await waiting
    assert (gate.working, gate.waiting) == (0, 0)


async def test_one_caller_leaves_room_for_others() -> None:
    gate, order = Gate(1, 8), list[str]()
    async with gate.admitted("first"):
        waiting = [await begin(gate, "many", order) for _ in range(4)]
        with pytest.raises(Problem, match="4 of them this caller's") as refused:
            await (await begin(gate, "many", order))
        assert (refused.value.status_code, refused.value.code) == (429, "queue-full")
        assert (refused.value.headers or {})["Retry-After"] == "1"
        waiting += [await begin(gate, name, order) for name in ("few", "few", "third")]
        assert gate.waiting == 7
    await asyncio.gather(*waiting)


async def test_a_gate_without_room_refuses_everybody() -> None:
    gate = Gate(1, 0)
    async with gate.admitted("first"):
        with pytest.raises(Problem):
            await (await begin(gate, "second", []))
    assert (gate.working, gate.waiting) == (0, 0)


async def test_accepted_work_waits_while_there_is_no_room() -> None:
    gate = Gate(1, 0)
    with ThreadPoolExecutor(1) as threads:
        async with gate.admitted("other"):
            work = asyncio.create_task(run_accepted(gate, threads, ANN, Stop(60), lambda: "done"))
            await asyncio.sleep(0)
            assert not work.done()
        assert await work == "done"


def test_requests_under_way_are_counted_by_token() -> None:
    rates = Rates()
    with rates.under_way("ann", 2), rates.under_way("ann", 2), rates.under_way("bob", 2):
        with pytest.raises(Problem) as refused, rates.under_way("ann", 2):
            pass
        assert (refused.value.status_code, refused.value.code) == (429, "concurrency-exceeded")
        assert (refused.value.headers or {})["Retry-After"] == "1"
    with rates.under_way("ann", 1):
        pass


def test_followed_work_of_one_caller_leaves_room_for_others() -> None:
    store = LiveStore(8)
    for _ in range(4):
        store.add(Endless(owner="many"))
    with pytest.raises(Problem) as refused:
        store.add(Endless(owner="many"))
    assert (refused.value.status_code, refused.value.code) == (429, "queue-full")
    store.add(Endless(owner="few"))


def test_files_of_one_caller_leave_room_for_others() -> None:
    store = FileStore()
    for _ in range(2):
        store.add(ANN, "a", bytes(64 << 20))
    with pytest.raises(Problem) as refused:
        store.add(ANN, "a", b"1")
    assert refused.value.status_code == 429
    assert int((refused.value.headers or {})["Retry-After"]) > 0
    few = Caller("few", "ann", ANN.scopes)
    kept = store.add(few, "a", b"1")
    assert store.find(few, kept) == ("a", b"1")
    assert store.find(ANN, kept) is None


async def test_a_key_is_used_by_one_request_at_a_time() -> None:
    replies, going = Replies(), asyncio.Event()
    key = ("ann", "/v1/judge", "key")

    async def make() -> Response:
        await going.wait()
        return Response(b"1", 201)

    first = asyncio.create_task(replies.once(key, b"a", make))
    await asyncio.sleep(0)
    with pytest.raises(Problem) as refused:
        await replies.once(key, b"a", make)
    assert (refused.value.status_code, refused.value.code) == (409, "key-in-use")
    going.set()
    assert (await first).status_code == 201
    again = await replies.once(key, b"a", make)
    assert (again.body, again.headers["idempotency-replayed"]) == (b"1", "true")
    with pytest.raises(Problem) as reused:
        await replies.once(key, b"b", make)
    assert reused.value.code == "key-reused"
