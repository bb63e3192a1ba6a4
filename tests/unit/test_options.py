"""What all jobs share: options, and twins that leave the event loop free."""

import asyncio
import inspect
import re
import subprocess
import sys
import threading
import time

import pytest

from steelyard.errors import UsageError
from steelyard.jobs import JOBS, job
from steelyard.judging import JudgeOptions
from steelyard.options import Options, beside, in_loop, in_thread
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import Event, Limits, OnEvent


def test_the_default_pool_is_the_shared_one(pool: CellPool) -> None:
    assert Options().cells is shared_pool()
    assert Options(pool=pool).cells is pool


def test_live_objects_are_not_written_down(pool: CellPool) -> None:
    options = Options(pool=pool, on_event=print, seed=3, limits=Limits(cpu_ms=7))
    assert Options.model_validate_json(options.model_dump_json()) == Options(
        seed=3, limits=Limits(cpu_ms=7)
    )


def test_a_wrong_option_is_one_line_with_its_value() -> None:
    with pytest.raises(UsageError, match=r"^seed: input should be a valid integer.*got 'x'"):
        Options.of(seed="x")
    with pytest.raises(UsageError, match=r"^pool: input should be an instance of CellPool"):
        Options.of(pool=1)


def test_a_wrong_nested_value_has_its_whole_path() -> None:
    with pytest.raises(UsageError, match=r"^limits\.cpu_ms: .*, got -1$"):
        Options.of(limits={"cpu_ms": -1})
    with pytest.raises(UsageError, match=r"^unknown field 'limits\.foo' of Options; omit it$"):
        Options.of(limits={"foo": 1})
    with pytest.raises(UsageError, match=r"^entry: input should be a valid dictionary"):
        JudgeOptions.of(entry=[])  # a member of a union is no part of the path
    with pytest.raises(UsageError, match=r"^flags\.1: .*, got 2$"):
        JudgeOptions.of(flags=["-O2", 2])


def test_no_seed_draws_one() -> None:
    assert Options(seed=5).fixed_seed() == 5
    assert len({Options(seed=None).fixed_seed() for _ in range(9)}) > 1


def test_json_states_the_meaning_of_null_and_no_syntax_of_the_command_line() -> None:
    texts = {
        name: field.description or ""
        for own in map(job, JOBS)
        for name, field in own.body.model_fields.items()
    }
    assert texts["seed"] == "Seed for everything pseudo-random. null: a new one for each run."
    assert texts["max_tokens"] == "Hard limit on model tokens. null: no limit."
    assert texts["planner"] == "Model that plans. null: the service's own."
    for text in texts.values():
        assert not re.search(r"Repeat for more|`random`|5%|-O2|numpy,scipy|function of yours", text)


def test_events_reach_the_callback() -> None:
    seen: list[Event] = []
    event = Event(job="judge", stage="compiling")
    Options(on_event=seen.append).emit(event)
    Options().emit(event)
    assert seen == [event]


def test_a_twin_has_the_arguments_of_its_function_and_does_not_block() -> None:
    def add(a: int, *, b: int = 2) -> int:
        """Return the sum."""
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        return a + b

    twin = in_thread(add, "aadd")
    assert inspect.iscoroutinefunction(twin)
    assert inspect.signature(twin) == inspect.signature(add)
    assert (twin.__name__, asyncio.run(twin(1, b=4))) == ("aadd", 5)


async def _one() -> int:
    await asyncio.sleep(0)
    return 1


async def _fails() -> int:
    raise UsageError("no")


def test_a_coroutine_runs_to_its_end_with_and_without_a_loop() -> None:
    async def inside() -> int:
        with pytest.raises(UsageError, match="no"):
            fails()
        return one()

    one, fails = in_loop(_one, "one"), in_loop(_fails, "fails")
    assert (one(), one.__name__) == (1, "one")
    assert not inspect.iscoroutinefunction(one)
    assert asyncio.run(inside()) == 1


INTERRUPTED_IN_A_LOOP = """
import asyncio, os, signal
from steelyard.options import in_loop

async def work():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        os.write(1, b"cancelled\\n")
        raise

async def cell():
    try:
        in_loop(work, "work")()
    except KeyboardInterrupt:
        os.write(1, b"interrupted\\n")

asyncio.new_event_loop().run_until_complete(cell())
"""


def test_an_interrupt_in_a_notebook_ends_the_work_too() -> None:
    command = [sys.executable, "-c", INTERRUPTED_IN_A_LOOP]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert sorted(done.stdout.split()) == ["cancelled", "interrupted"], done.stderr


def test_a_constructor_is_as_clear_as_of() -> None:
    with pytest.raises(UsageError, match=r"^seed: input should be a valid integer.*got 'x'"):
        Options(seed="x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown option 'sead'; use one of seed"):
        Options.model_validate({"sead": 1})


def test_a_cancelled_twin_ends_its_work_at_the_next_event() -> None:
    begun, ended = threading.Event(), threading.Event()
    seen: list[Event] = []

    def work(*, on_event: OnEvent | None = None) -> None:
        assert on_event is not None
        try:
            begun.set()
            while True:
                on_event(Event(job="judge", stage="working"))
                time.sleep(0.001)
        finally:
            ended.set()

    async def main() -> None:
        task = asyncio.create_task(in_thread(work, "awork")(on_event=seen.append))
        assert await asyncio.to_thread(begun.wait, 60)
        while not seen:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ended.wait(60)


def test_work_beside_the_loop_does_not_hold_up_an_interrupt() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go_on.wait(60)

    async def cancelled() -> None:
        task = asyncio.create_task(beside(work))
        await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())  # with `asyncio.to_thread` it would return only after the work
    assert not go_on.is_set()
    go_on.set()


def test_work_beside_the_loop_returns_or_raises() -> None:
    async def both() -> int:
        with pytest.raises(ZeroDivisionError):
            await beside(lambda: 1 // 0)
        return await beside(lambda: 3)

    assert asyncio.run(both()) == 3
