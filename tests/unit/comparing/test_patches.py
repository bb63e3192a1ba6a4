"""Clocks, dates, identifiers and random numbers are the same in each run, for whoever holds them.

Every script takes its names before the patches are applied, as a project does that has been
imported. What each expression gives is compared with and without patches.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[3] / "src"
MOMENT = "2021-01-01 02:05:10"
UUID1, UUID4 = (f"12345678-1234-{version}678-9abc-123456789012" for version in (1, 4))

NAMES = f"""
import sys
sys.path.insert(0, {str(SOURCE)!r})
import dataclasses, datetime, json, logging, os, random, secrets, time, uuid, warnings
from datetime import date, datetime as moment, timedelta, timezone
from os import urandom
from random import Random, SystemRandom, random as number, randint, seed, uniform
from time import perf_counter, sleep, strftime, time as now
from uuid import uuid1, uuid4
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell import taken_over
warnings.simplefilter("ignore")
class Later(moment):
    pass
class Holder:
    timer = time.perf_counter
    clock = staticmethod(now)
@dataclasses.dataclass
class Record:
    at: object = dataclasses.field(default_factory=moment.now)
    utc: object = dataclasses.field(default_factory=moment.utcnow)
    day: object = dataclasses.field(default_factory=date.today)
    id: object = dataclasses.field(default_factory=uuid4)
    clock: object = dataclasses.field(default_factory=now)
def default(clock=now):
    return clock()
bound = Later.now
two_hours = timezone(timedelta(hours=2))
"""

TABLE: list[tuple[str, Any]] = [
    ("now()", 1761717605.108106),
    ("time.time()", 1761717605.108106),
    ("time.time_ns()", 1761717605108106000),
    ("default()", 1761717605.108106),
    ("Holder.clock()", 1761717605.108106),
    ("time.clock_gettime(time.CLOCK_REALTIME)", 1761717605.108106),
    ("time.clock_gettime_ns(time.CLOCK_REALTIME)", 1761717605108106000),
    ("[perf_counter(), perf_counter(), time.perf_counter()]", [0.001, 0.002, 0.003]),
    ("[time.perf_counter_ns(), time.perf_counter_ns()]", [1_000_000, 2_000_000]),
    ("[Holder().timer(), Holder.timer()]", [0.001, 0.002]),
    ("[time.monotonic(), time.monotonic()]", [100000.001, 100000.002]),
    ("time.monotonic_ns()", 100_000_001_000_000),
    ("time.clock_gettime(time.CLOCK_MONOTONIC)", 100000.001),
    ("[time.process_time(), time.process_time()]", [0.001, 0.002]),
    ("time.process_time_ns()", 1_000_000),
    ("[time.thread_time(), time.thread_time()]", [0.001, 0.002]),
    ("time.thread_time_ns()", 1_000_000),
    ("time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID)", 0.001),
    ("time.gmtime()[:6]", [2025, 10, 29, 6, 0, 5]),
    ("time.gmtime(None)[:6]", [2025, 10, 29, 6, 0, 5]),
    ("time.localtime()[:6]", [2025, 10, 29, 6, 0, 5]),
    ("strftime('%F %T')", "2025-10-29 06:00:05"),
    ("time.ctime()", "Wed Oct 29 06:00:05 2025"),
    ("time.asctime()", "Wed Oct 29 06:00:05 2025"),
    ("str(moment.now())", MOMENT),
    ("str(datetime.datetime.now(timezone.utc))", f"{MOMENT}+00:00"),
    ("str(moment.now(tz=two_hours))", "2021-01-01 04:05:10+02:00"),
    ("str(moment.utcnow())", MOMENT),
    ("str(moment.today())", MOMENT),
    ("str(date.today())", "2021-01-01"),
    ("[str(bound()), str(Later.utcnow()), str(Later.today())]", [MOMENT] * 3),
    ("str(Record().at)", MOMENT),
    ("str(Record().utc)", MOMENT),
    ("str(Record().day)", "2021-01-01"),
    ("str(Record().id)", UUID4),
    ("Record().clock", 1761717605.108106),
    ("str(uuid4())", UUID4),
    ("str(uuid.uuid1(node=5))", UUID1),
    ("str(uuid1())", UUID1),
    ("[number(), random.random()]", [0.123456789, 0.123456789]),
    ("random.getstate() == (Random(42).getstate())", True),
    ("uniform(0, 1) == Random(42).random()", True),
    ("seed() or uniform(0, 1) == Random(42).random()", True),
    ("Random().random() == Random(42).random()", True),
    ("urandom(3).hex()", "424242"),
    ("os.getrandom(2, flags=0).hex()", "4242"),
    ("secrets.token_hex(2)", "4242"),
    ("[secrets.randbelow(1000), secrets.choice('abcdefghijklmnop')]", [265, "i"]),
    ("SystemRandom().random()", 0.2588235294117647),
    ("uuid.UUID(bytes=urandom(16)).hex", "42" * 16),
    ("logging.makeLogRecord({}).created", 1761717605.108106),
    ("round(logging.makeLogRecord({}).relativeCreated, 3)", 0.0),
]

THE_SAME = [
    "moment(2020, 1, 2) + timedelta(1) == moment(2020, 1, 3)",
    "type(moment.now()) is moment and type(bound()) is Later and isinstance(bound(), date)",
    "time.asctime(time.gmtime(0)).endswith('1970')",
    "time.localtime(5)[:2] == (1970, 1) and time.ctime(0).endswith('1970')",
    "strftime('%Y', (1999, 1, 2, 0, 0, 0, 0, 2, 0)) == '1999'",
    "Random(7).random() == 0.32383276483316237",
    "moment.fromtimestamp(0, timezone.utc).year == 1970",
    "repr(now) == '<built-in function time>' and repr(number) == '<built-in function random>'",
    "now is time.time and moment is datetime.datetime and uuid4 is uuid.uuid4",
    "pickle.loads(pickle.dumps(now)) is now and pickle.loads(pickle.dumps(uuid4)) is uuid4",
    "pickle.loads(pickle.dumps(number)) is number",
    "pickle.loads(pickle.dumps(moment.now)) == moment.now",
    "str(pickle.loads(pickle.dumps(bound))()) == str(bound())",
    "pickle.loads(pickle.dumps(moment(2020, 1, 2))) == moment(2020, 1, 2)",
    "copy.deepcopy(moment.max) == moment.max and copy.copy(now) is now",
    "str(inspect.signature(uuid1)) == '(node=None, clock_seq=None)'",
    "str(inspect.signature(Random.seed)) == '(self, a=None, version=2)'",
    "fails(lambda: now(1)) == 'TypeError: time.time() takes no arguments (1 given)'",
    "fails(lambda: urandom(-1)).startswith('ValueError')",
    "fails(lambda: moment.now(5)).startswith('TypeError: tzinfo argument')",
    "fails(lambda: sleep(-1)).startswith('ValueError')",
    "fails(lambda: sleep('a')).startswith('TypeError')",
    "fails(lambda: time.clock_gettime(-99)).startswith('OSError')",
    "fails(lambda: uuid4(1)).startswith('TypeError')",
    "fails(lambda: seed([])).startswith('TypeError')",
]


def _run(script: str, *, names: str = NAMES, before: tuple[str, ...] = ()) -> str:
    environment = {**os.environ, "TZ": "UTC", "PYTHONPATH": os.pathsep.join(before)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", names + script],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _given(*, patched: bool) -> list[Any]:
    expressions = [expression for expression, _ in TABLE]
    values = _run(
        f"if {patched}: patches.apply()\n"
        "values = []\n"
        f"for expression in {expressions!r}:\n"
        f"    if {patched}: patches.restart()\n"
        "    values.append(eval(expression))\n"
        "print(json.dumps(values))"
    )
    given: list[Any] = json.loads(values)
    return given


@pytest.fixture(scope="module")
def patched() -> list[Any]:
    return _given(patched=True)


@pytest.fixture(scope="module")
def plain() -> list[Any]:
    return _given(patched=False)


@pytest.mark.parametrize("at", range(len(TABLE)), ids=[expression for expression, _ in TABLE])
def test_a_patch_takes_effect_for_names_taken_before(
    at: int, patched: list[Any], plain: list[Any]
) -> None:
    _, expected = TABLE[at]
    assert patched[at] == expected
    assert plain[at] != expected


def test_the_rest_of_the_patched_things_stays_as_it_is() -> None:
    failing = _run(
        "import copy, inspect, pickle\n"
        "def fails(call):\n"
        "    try: call()\n"
        "    except Exception as error: return f'{type(error).__name__}: {error}'\n"
        "patches.apply()\n"
        f"print([each for each in {THE_SAME!r} if not eval(each)])"
    )
    assert failing.strip() == "[]"


def test_each_patched_function_does_its_own_work_first() -> None:
    """The generator behind `random.random` goes on, and what the system refuses is an error."""
    out = _run(
        "patches.apply()\n"
        "number()\n"
        "twin = Random(42)\n"
        "twin.random()\n"
        "assert random.getstate() == twin.getstate()\n"
        "class Zone(datetime.tzinfo):\n"
        "    def fromutc(self, at):\n"
        "        raise LookupError('asked')\n"
        "    def utcoffset(self, at): return timedelta(0)\n"
        "try: moment.now(Zone())\n"
        "except LookupError as error: print(error)\n"
    )
    assert out.strip() == "asked"


def test_what_is_loaded_later_is_patched_too() -> None:
    out = _run(
        "patches.apply()\n"
        "import email.utils, http.cookiejar, sched, tempfile, timeit\n"
        "print(email.utils.formatdate(), timeit.default_timer(), sched._time())\n"
        "print(next(tempfile._RandomNameSequence()))\n"
        "if not os.fork():\n"
        "    print(uniform(0, 1) == Random(42).random(), moment.now(), flush=True)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    lines = out.splitlines()
    assert lines[0] == "Wed, 29 Oct 2025 06:00:05 -0000 0.001 100000.001"
    assert lines[2] == f"True {MOMENT}"
    assert (
        lines[1]
        == _run(
            "patches.apply()\nimport tempfile\nprint(next(tempfile._RandomNameSequence()))"
        ).strip()
    )


def test_what_sleeps_finds_the_clocks_moved_by_as_much() -> None:
    out = _run(
        "patches.apply()\n"
        "start, day = now(), moment.now()\n"
        "sleep(0.25)\n"
        "print(now() - start, moment.now() - day, perf_counter())\n"
        "import threading\n"
        "def work():\n"
        "    begun = now()\n"
        "    sleep(0.125)\n"
        "    print(now() - begun)\n"
        "thread = threading.Thread(target=work)\n"
        "thread.start(); thread.join()\n"
        "print(now() - start)\n"
        "deadline = now() + 0.1\n"
        "while now() < deadline: sleep(0.03125)\n"
    )
    assert out.splitlines() == ["0.25 0:00:00.250000 0.251", "0.125", "0.25"]


def test_a_kept_copy_stays_a_real_clock() -> None:
    out = _run(
        "mine = taken_over.kept(time.perf_counter_ns)\n"
        "before = mine()\n"
        "patches.apply()\n"
        "print(before < mine() < mine() + 1, time.perf_counter_ns(), mine is not perf_counter)"
    )
    assert out.split() == ["True", "1000000", "True"]


def test_a_second_call_only_begins_anew() -> None:
    out = _run(
        "patches.apply()\n"
        "perf_counter(), uniform(0, 1)\n"
        "patches.apply()\n"
        "print(perf_counter(), uniform(0, 1) == Random(42).random(), str(moment.now()))"
    )
    assert out.strip() == f"0.001 True {MOMENT}"


def test_what_waits_still_comes_to_an_end() -> None:
    """Event loops, queues and locks see the real clocks, which go on while they wait."""
    out = _run(
        "import asyncio, concurrent.futures, queue, subprocess, threading\n"
        "patches.apply()\n"
        "async def main():\n"
        "    await asyncio.sleep(0.02)\n"
        "    try: await asyncio.wait_for(asyncio.Event().wait(), 0.02)\n"
        "    except TimeoutError: print('loop')\n"
        "asyncio.run(main())\n"
        "try: queue.Queue().get(timeout=0.02)\n"
        "except queue.Empty: print('queue')\n"
        "condition = threading.Condition()\n"
        "with condition: print(condition.wait_for(lambda: False, 0.02))\n"
        "try: subprocess.run(['sleep', '60'], timeout=0.05)\n"
        "except subprocess.TimeoutExpired: print('process')\n"
        "try: concurrent.futures.Future().result(timeout=0.02)\n"
        "except concurrent.futures.TimeoutError: print('future')\n"
        "print(perf_counter(), time.monotonic())\n"
    )
    lines = ["loop", "queue", "False", "process", "future", "0.001 100000.001"]
    assert out.splitlines() == lines


def test_names_that_are_tried_until_one_is_free_are_found() -> None:
    out = _run(
        "patches.apply()\n"
        "import multiprocessing.shared_memory as shared, tempfile\n"
        "blocks = [shared.SharedMemory(create=True, size=8) for _ in range(3)]\n"
        "for block in blocks: block.close(); block.unlink()\n"
        "names = set()\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    files = [tempfile.NamedTemporaryFile(dir=folder) for _ in range(3)]\n"
        "    names = {file.name for file in files}\n"
        "print(len({block.name for block in blocks}), len(names))"
    )
    assert out.split() == ["3", "3"]


@pytest.mark.parametrize("first", ["import numpy.random", "pass"], ids=["loaded", "to-come"])
def test_numpy_starts_from_42(first: str) -> None:
    folder = _folder_of("numpy")
    out = _run(
        f"{first}\n"
        "patches.apply()\n"
        "import numpy.random as r\n"
        "patches.restart()\n"
        "from numpy.random import default_rng\n"
        "print(r.rand() == r.RandomState(42).rand())\n"
        "print(default_rng().random() == r.Generator(r.PCG64(r.SeedSequence(42))).random())\n"
        "print(r.Generator(r.MT19937()).random() == r.Generator(r.MT19937(42)).random())\n"
        "print(default_rng(7).random() == r.Generator(r.PCG64(7)).random())\n"
        "r.rand(); patches.restart(); print(r.rand() == r.RandomState(42).rand())\n",
        before=(folder,),
    )
    assert out.split() == ["True"] * 5


def test_a_deprecated_call_is_told_of_the_line_that_makes_it() -> None:
    out = _run(
        "patches.apply()\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always')\n"
        "    moment.utcnow()\n"
        "print(*[each.filename for each in told])"
    )
    assert out.strip() == ("" if sys.version_info < (3, 12) else "<string>")


@pytest.mark.parametrize("first", ["import freezegun", "pass"], ids=["loaded", "to-come"])
def test_a_test_that_freezes_with_freezegun_does(first: str) -> None:
    folder = _folder_of("freezegun")
    out = _run(
        f"{first}\n"
        "patches.apply()\n"
        "import freezegun\n"
        "with freezegun.freeze_time('2031-01-02 03:04:05') as frozen:\n"
        "    print(time.time(), datetime.datetime.now(), now())\n"
        "print(time.time(), datetime.datetime.now(), now())\n",
        before=(folder,),
    )
    assert out.splitlines() == [
        "1925089445.0 2031-01-02 03:04:05 1925089445.0",
        f"1761717605.108106 {MOMENT} 1761717605.108106",
    ]


def test_pytest_runs_as_ever(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import logging, time, unittest\n"
        "from unittest import mock\n"
        "def test_log(caplog, tmp_path, monkeypatch):\n"
        "    logging.getLogger().warning('x')\n"
        "    assert caplog.records[0].created == 1761717605.108106\n"
        "    monkeypatch.setattr(time, 'time', lambda: 5)\n"
        "    assert time.time() == 5\n"
        "def test_mock():\n"
        "    with mock.patch('time.time', return_value=3): assert time.time() == 3\n"
        "    assert (time.time(), time.perf_counter()) == (1761717605.108106, 0.001)\n"
        "class TestCase(unittest.TestCase):\n"
        "    def test_it(self): self.assertEqual(time.process_time(), 0.001)\n"
    )
    out = _run(
        "import pytest\n"
        "patches.apply()\n"
        f"pytest.main(['-q', '-p', 'no:cacheprovider', '--durations=3', {str(tmp_path)!r}])",
        before=(_folder_of("pytest"),),
    )
    assert "3 passed" in out


def _folder_of(package: str) -> str:
    file = pytest.importorskip(package).__file__
    assert file is not None
    return str(Path(file).parents[1])


DRAWN = (
    "now()",
    "str(moment.now())",
    "str(date.today())",
    "time.monotonic()",
    "strftime('%F %T')",
    "str(uuid4())",
    "str(uuid1())",
    "number()",
    "uniform(0, 1)",
    "urandom(5).hex()",
    "secrets.token_hex(4)",
    "Random().random()",
)


def test_another_world_has_another_time_and_other_random_values() -> None:
    """Each world is the same whenever it is entered, and the usual one is as it ever was."""
    out = _run(
        "patches.apply()\n"
        "def shown(world):\n"
        "    found = []\n"
        f"    for each in {DRAWN!r}:\n"
        "        patches.restart(world)\n"
        "        found.append(eval(each))\n"
        "    return found\n"
        "print(json.dumps([shown(world) for world in (0, 1, 2, 1, 0)]))"
    )
    usual, one, two, again, back = json.loads(out)
    assert one == again
    assert usual == back
    for expression, *values in zip(DRAWN, usual, one, two, strict=True):
        assert len(set(values)) == 3, expression
    assert usual[:3] == [1761717605.108106, MOMENT, "2021-01-01"]
    assert one[:3] == [1953222516.754321, "2031-11-23 17:48:36.754321", "2031-11-23"]


def test_in_another_world_each_draw_is_another_one_and_time_stands_still() -> None:
    out = _run(
        "patches.apply()\n"
        "patches.restart(3)\n"
        "drawn = [uuid4(), uuid4(), uuid1(), number(), number(), secrets.token_hex(8),\n"
        "    secrets.token_hex(8), Random().random(), Random().random()]\n"
        "print(len(set(drawn)), uuid4().version, uuid1().version)\n"
        "start, day = now(), moment.now()\n"
        "sleep(0.25)\n"
        "print(round(now() - start, 3), moment.now() - day, perf_counter())\n"
        "patches.restart(3)\n"
        "one = urandom(3) + urandom(5000)\n"
        "patches.restart(3)\n"
        "print(one == urandom(5003), Random(7).random())"
    )
    assert out.splitlines() == ["9 4 1", "0.25 0:00:00.250000 0.251", "True 0.32383276483316237"]


def test_who_asks_for_what_worlds_differ_in_is_known() -> None:
    asking = [
        "now()",
        "time.localtime()",
        "date.today()",
        "uuid4()",
        "time.monotonic()",
        "urandom(1)",
        "randint(1, 6)",
        "Random()",
        "number()",
        "secrets.choice('ab')",
    ]
    others = [
        "perf_counter()",
        "time.process_time()",
        "time.gmtime(5)",
        "Random(7).random()",
        "moment(2020, 1, 2)",
        "uuid.UUID(int=5)",
    ]
    out = _run(
        "patches.apply()\n"
        f"for text in {asking + others!r}:\n"
        "    eval(text)\n"
        "    if patches.is_asked(): print(text)\n"
        "    patches.restart()\n"
        "    if patches.is_asked(): print('still', text)"
    )
    assert out.splitlines() == asking


def test_numpy_draws_otherwise_in_another_world() -> None:
    out = _run(
        "patches.apply()\n"
        "import numpy.random as r\n"
        "def drawn(world):\n"
        "    patches.restart(world)\n"
        "    return [r.rand(), r.default_rng().random(), r.default_rng().random()]\n"
        "patches.restart()\n"
        "print(patches.is_asked(), r.rand() and patches.is_asked())\n"
        "usual, one, two = drawn(0), drawn(1), drawn(2)\n"
        "print(usual[1] == usual[2], len({*usual, *one, *two}), drawn(1) == one)",
        before=(_folder_of("numpy"),),
    )
    assert out.splitlines() == ["False True", "True 8 True"]
