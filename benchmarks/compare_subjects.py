"""Small real functions for compare.py: each a tiny project with tests, and work that can be added.

Where a text says `# begin`, a loop that does nothing goes: it makes the function slower by a share
that is known, since it is measured here, in processes of their own and by other code than what is
being judged.
"""

import json
import math
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

BEGIN = "    # begin\n"
LEVENSHTEIN = '''
def levenshtein(one, two):
    """Least number of edits that make one text the other."""
    # begin
    previous = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        current = [i]
        for j, b in enumerate(two, 1):
            cost = previous[j - 1] + (a != b)
            current.append(min(previous[j] + 1, current[j - 1] + 1, cost))
        previous = current
    return previous[-1]
'''
PARSE = '''
def parse_query(text):
    """Fields of a query string, numbers as numbers."""
    # begin
    fields = {}
    for part in text.split("&"):
        name, _, value = part.partition("=")
        value = value.replace("+", " ").strip()
        if value.isdigit():
            fields.setdefault(name, []).append(int(value))
        elif value:
            fields.setdefault(name, []).append(value)
    return fields
'''
SLUGIFY = '''
import re
import unicodedata


def slugify(text, separator="-"):
    """A text as part of an address."""
    # begin
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())
    return separator.join(words)
'''
COUNT = '''
def word_count(text):
    """How often each word occurs, the most frequent first."""
    # begin
    counts = {}
    for word in text.split():
        word = word.strip(".,;:!?").lower()
        if word:
            counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
'''
FLATTEN = '''
def flatten(items):
    """The leaves of nested lists, in order."""
    # begin
    flat, stack = [], [iter(items)]
    while stack:
        for item in stack[-1]:
            if isinstance(item, list):
                stack.append(iter(item))
                break
            flat.append(item)
        else:
            stack.pop()
    return flat
'''
DISTANCES = '''
import numpy as np


def distances(rows, columns, seed):
    """Distances between all pairs of points."""
    # begin
    points = np.arange(rows * columns, dtype=float).reshape(rows, columns) * seed % 17
    apart = points[:, None, :] - points[None, :, :]
    return np.sqrt((apart * apart).sum(axis=-1))
'''
SIEVE = '''
def sieve(limit):
    """Primes up to a limit."""
    # begin
    flags = bytearray([1]) * (limit + 1)
    flags[:2] = b"\\0\\0"
    for number in range(2, int(limit**0.5) + 1):
        if flags[number]:
            for multiple in range(number * number, limit + 1, number):
                flags[multiple] = 0
    return [number for number, flag in enumerate(flags) if flag]
'''
MATMUL = '''
def matmul(one, two):
    """The product of two matrices."""
    # begin
    columns = list(zip(*two))
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in one]
'''
CLAMP = '''
def clamp_parse(text, least=0, most=100):
    """A number within bounds."""
    # begin
    value = int(text.strip() or 0)
    return max(least, min(most, value))
'''
INITIALS = '''
def initials(name):
    """The first letters of a name."""
    # begin
    return "".join(part[0].upper() for part in name.split() if part)
'''


@dataclass(frozen=True)
class Subject:
    """One function with its calls.

    Args:
        name: Of the function, in a module `subject`.
        text: The module.
        calls: An expression: the arguments of each call.
        short: Whether calls take less than 10 microseconds: they have a wider threshold, and the
            least work that could be added is too much.
    """

    name: str
    text: str
    calls: str
    short: bool = False

    @property
    def changed(self) -> str:
        """The same code, with another comment."""
        return self.text.replace("# begin", "# start of it")

    def working(self, turns: int) -> str:
        """The function with so many turns of a loop that does nothing."""
        loop = f"    for _ in range({turns}):\n        pass\n"
        return self.text.replace(BEGIN, loop)

    def lay_out(self, root: Path, text: str) -> None:
        """Writes a project with one test for each call."""
        root.mkdir(parents=True)
        (root / "subject.py").write_text(text)
        (root / "test_subject.py").write_text(
            f"import pytest\n\nfrom subject import {self.name}\n\n\n"
            f'@pytest.mark.parametrize("arguments", {self.calls})\n'
            f"def test_{self.name}(arguments):\n"
            f"    assert {self.name}(*arguments) is not None\n"
        )


WORDS = "It was the best of times, it was the worst of times; "
SUBJECTS = (
    Subject(
        "parse_query",
        PARSE,
        '[("&".join(f"a{j}=it+is+{j}&b{j}={j * i}" for j in range(i)),) for i in range(20, 45, 5)]',
    ),
    Subject("slugify", SLUGIFY, '[("Größe und Maß von %d, " % i * i,) for i in range(12, 42, 6)]'),
    Subject("word_count", COUNT, f"[({WORDS!r} * i,) for i in range(6, 16, 2)]"),
    Subject(
        "flatten",
        FLATTEN,
        "[([[j, [j, list(range(i))], j] for j in range(i)],) for i in range(10, 25, 3)]",
    ),
    Subject(
        "levenshtein",
        LEVENSHTEIN,
        '[("kitten sitting"[:i], "sitting on kittens"[:i + 3]) for i in range(6, 16, 2)]',
    ),
    Subject("distances", DISTANCES, "[(i, 3, i + 1) for i in range(40, 90, 10)]"),
    Subject("sieve", SIEVE, "[(i,) for i in range(500, 5500, 1000)]"),
    Subject(
        "matmul",
        MATMUL,
        "[([[j * k for j in range(i)] for k in range(i)], [[j - k for j in range(i)]"
        " for k in range(i)]) for i in range(5, 15, 2)]",
    ),
    Subject("clamp_parse", CLAMP, '[(f" {i} ",) for i in range(5, 255, 50)]', short=True),
    Subject("initials", INITIALS, '[("Ada King Lovelace " * i,) for i in range(1, 6)]', short=True),
)

MEASURING = """
import gc, importlib, json, math, random, statistics, sys, time
for name in ("pytest", "hypothesis", "numpy"):  # a heap as large as in tests: what a loop, and
    try:                                        # what an array costs, depends on it by a fifth
        importlib.import_module(name)
    except ImportError:
        pass
said = json.loads(sys.stdin.read())
rng = random.Random(said["seed"])
junk = [bytes(rng.randrange(1000)) for _ in range(rng.randrange(2000))]
order = [0, 1] if rng.random() < 0.5 else [1, 0]
functions = [None, None]
for place in order:
    names = {}
    exec(compile(said["texts"][place], f"version{place}.py", "exec"), names)
    functions[place] = names[said["name"]]
sets = [None, None]
for place in reversed(order):
    sets[place] = eval(said["calls"])

def batch(place, case, times):
    function, arguments = functions[place], sets[place][case]
    start = time.thread_time_ns()
    for _ in range(times):
        function(*arguments)
    return time.thread_time_ns() - start

cases = range(len(sets[0]))
times = []
for case in cases:
    n = 1
    while min(batch(0, case, n), batch(1, case, n)) < 50_000:
        n *= 2
    times.append(n)
gc.collect(); gc.freeze(); gc.disable()
end = time.monotonic() + said["seconds"]
logs, each = [], []
while time.monotonic() < end or len(logs) < 9:
    sums = [0.0, 0.0]
    for case in cases:
        for place in ((0, 1) if rng.random() < 0.5 else (1, 0)):
            sums[place] += batch(place, case, times[case]) / times[case]
    logs.append(math.log(sums[0] / sums[1])); each.append(sums)
print(json.dumps([statistics.median(logs), *(statistics.median(s) for s in zip(*each))]))
"""


TURN_US = 0.015
NEAR, MOST_CORRECTIONS = 0.05, 3


@dataclass(frozen=True)
class TrueGain:
    """What was really added, by a measurement of its own."""

    gain: float
    """Of the original's time over the candidate's, less 1."""
    error: float
    """Standard error of its logarithm, over processes."""
    call_us: float
    turns: int


def measured(subject: Subject, turns: int, *, processes: int, seconds: float) -> TrueGain:
    """How much slower the function is with so many turns of the loop."""
    logs, calls = [], []
    for seed in range(processes):
        said = {
            "texts": [subject.working(turns), subject.text],
            "name": subject.name,
            "calls": subject.calls,
            "seconds": seconds,
            "seed": seed,
        }
        done = subprocess.run(
            [sys.executable, "-c", MEASURING],
            input=json.dumps(said),
            capture_output=True,
            text=True,
            check=True,
        )
        ratio, _, candidate_ns = json.loads(done.stdout)
        logs.append(ratio)
        calls.append(candidate_ns)
    spread = statistics.stdev(logs) if len(logs) > 1 else float("nan")
    mid = statistics.median(logs)
    count = len(eval(subject.calls))
    return TrueGain(
        round(math.exp(mid) - 1, 5),
        round(1.2533 * spread / len(logs) ** 0.5, 5),
        round(statistics.median(calls) / 1000 / count, 2),
        turns,
    )


def with_gain(subject: Subject, gain: float, *, processes: int, seconds: float) -> TrueGain:
    """Finds the work that makes a gain of this size, and measures what it really is."""
    turns = 100
    call_us = measured(subject, turns, processes=1, seconds=0.15).call_us
    for aim in (0.5, gain, gain):  # much work first: what a turn costs shows best there
        turns = max(1, round(aim * call_us / TURN_US)) if aim != gain else turns
        found = measured(subject, turns, processes=3, seconds=0.15)
        turns = max(1, round(turns * gain / max(found.gain, gain / 10)))
    for _ in range(MOST_CORRECTIONS):
        best = measured(subject, turns, processes=processes, seconds=seconds)
        if abs(best.gain / gain - 1) < NEAR:
            break
        turns = max(1, round(turns * gain / max(best.gain, gain / 10)))
    return best
