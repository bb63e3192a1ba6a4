"""What a program does to the process around it is seen, and what it leaves alone is not."""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "src"

RUNNER = """
import json, os, sys
sys.path.insert(0, {source!r})
import time, threading
from steelyard.comparing.effects.incell import world
for done in json.load(sys.stdin):
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        out, encode = os.fdopen(writing, "w"), json.JSONEncoder().encode
        seen = world.World()
        before = seen.observe()
        exec(done)
        out.write(encode(world.changes(before, seen.observe())))
        out.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        text = told.read()
    os.waitpid(pid, 0)
    print(text, flush=True)
"""
"""Does each program in a fork of its own, and prints what it changed in a line of JSON."""

CHANGES = [
    ("def fake(): return 0\ntime.perf_counter = fake", "time.perf_counter", "__main__.fake"),
    ("import random\nrandom.random = lambda: 0", "random.random", "__main__.<lambda>"),
    ("import builtins\nbuiltins.sum = max", "builtins.sum", "builtin max"),
    ("import builtins\ndel builtins.sum", "builtins.sum", "missing"),
    ("import json\njson.dumps.__code__ = (lambda *a, **k: '').__code__", "json.dumps", "<lambda>"),
    ("import random\nrandom.Random.seed = print", "random.Random.seed", "builtin print"),
    (
        """import gc, datetime
def now(cls): ...
gc.get_referents(vars(datetime.datetime))[0]['now'] = classmethod(now)""",
        "datetime.datetime.now",
        "__main__.now",
    ),
    ("sys.modules['time'] = 3", "sys.modules['time']", "3"),
    ("import os\nos.environ['A_NAME'] = 'a'", "os.environ[A_NAME]", "a"),
    ("import os\nos.environ = dict(os.environ)", "os.environ", "a builtins.dict"),
    ("import os\nos.chdir('/')", "working directory", "/"),
    ("sys.path.append('/there')", "sys.path", "/there"),
    ("sys.argv.append('there')", "sys.argv", "there"),
    ("sys.setrecursionlimit(1234)", "recursion limit", "1234"),
    ("sys.setswitchinterval(0.5)", "switch interval", "0.5"),
    ("sys.set_int_max_str_digits(5000)", "digits of an int", "5000"),
    ("def trace(*a): ...\nsys.settrace(trace)", "trace function", "__main__.trace"),
    ("def trace(*a): ...\nsys.setprofile(trace)", "profile function", "__main__.trace"),
    ("import io\nsys.stdout, out = io.StringIO(), sys.stdout", "sys.stdout", "_io.StringIO"),
    ("sys.excepthook = print", "sys.excepthook", "builtin print"),
    ("sys.meta_path.clear()", "sys.meta_path", "[]"),
    ("import decimal\ndecimal.getcontext().prec = 5", "decimal context", "[5, "),
    ("import warnings\nwarnings.simplefilter('error')", "warnings filters", ""),
    ("import warnings\nwarnings.showwarning = print", "warnings.showwarning", "builtin print"),
    ("import signal\nsignal.signal(14, print)", "signal handlers", "14: builtin print"),
    ("import signal\nsignal.setitimer(signal.ITIMER_REAL, 99)", "timers", "True"),
    ("import random\nrandom.random()", "state of random", ""),
    ("import os\nos.dup(1)", "descriptors", ""),
    (
        """import threading
thread = threading.Thread(target=time.sleep, args=(60,), daemon=True)
thread.start()""",
        "threads",
        "1",
    ),
    ("import gc\ngc.disable()", "garbage collection", "False"),
    ("import gc\ngc.set_threshold(7)", "garbage collection", "7"),
    ("import gc\ndef heard(*a): ...\ngc.callbacks.append(heard)", "gc.callbacks", "__main__.heard"),
    ("import atexit\natexit.register(len, '')", "functions at exit", ""),
    ("import locale\nlocale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')", "locale", "C.UTF-8"),
]

ALIKE = [
    "sum(range(5)); sorted([2, 1]); json.dumps({})",
    "import fractions, statistics",
    "import random\nrandom.Random(3).random()",
    "class Hostile:\n  def __getattr__(self, name): raise SystemExit\n  __eq__ = __hash__ = None",
    "time.perf_counter, real = len, time.perf_counter; time.perf_counter = real",
    "with open('/dev/null'): pass",
    "import os\nos.environ['PYTEST_CURRENT_TEST'] = 'x'",
]


def _changed_by(programs: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    ran = subprocess.run(
        [sys.executable, "-I", "-c", RUNNER.format(source=str(SOURCE))],
        input=json.dumps(programs),
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    lines = ran.stdout.splitlines()
    assert len(lines) == len(programs), ran.stderr
    assert all(lines), ran.stderr
    return dict(zip(programs, map(json.loads, lines), strict=True))


@functools.cache
def _changed_by_each() -> dict[str, dict[str, list[str]]]:
    return _changed_by([*(done for done, _, _ in CHANGES), *ALIKE])


def _changed(done: str) -> dict[str, list[str]]:
    return _changed_by([done])[done]


@pytest.mark.parametrize(("done", "name", "now"), CHANGES)
def test_what_a_program_does_to_its_process_is_seen(done: str, name: str, now: str) -> None:
    changed = _changed_by_each()[done]
    assert name in changed
    assert now in changed[name][1]
    assert changed[name][0] != changed[name][1]


@pytest.mark.parametrize("done", ALIKE)
def test_what_a_program_leaves_alone_is_not_named(done: str) -> None:
    assert _changed_by_each()[done] == {}


def test_an_object_of_the_program_is_named_without_its_help() -> None:
    hostile = (
        "class Hostile:\n"
        "  def __getattribute__(self, name): raise SystemExit(3)\n"
        "  def __repr__(self): raise SystemExit(3)\n"
        "  def __eq__(self, other): raise SystemExit(3)\n"
        "  def __bool__(self): raise SystemExit(3)\n"
        "  def __call__(self): raise SystemExit(3)\n"
        "import signal\n"
        "time.time = sys.excepthook = Hostile()\n"
        "signal.signal(14, Hostile())"
    )
    changed = _changed(hostile)
    assert changed["time.time"] == ["as it was", "a __main__.Hostile"]
    assert "14: a __main__.Hostile" in changed["signal handlers"][1]


def test_the_state_of_numpy_is_seen_where_it_is_there() -> None:
    pytest.importorskip("numpy")
    numpy = "import numpy.random\nbefore = seen.observe()\nnumpy.random.rand()"
    assert list(_changed(numpy)) == ["state of numpy.random"]
    assert "state of numpy.random" not in _changed("import numpy.random")
