"""Calls are made once more in other worlds, and on objects that have changed."""

from pathlib import Path

import pytest

from steelyard.comparing import CompareBaseline
from tests.contract.compare_projects import baseline_of, behaviour, first_difference, make_project

pytestmark = [pytest.mark.xdist_group("compare_repeats"), pytest.mark.usefixtures("file_view")]

MODULE = '''
import logging
import random
import secrets
import time
import uuid
from datetime import date, datetime, timezone

log = logging.getLogger(__name__)


def token(parts):
    return "-".join(parts) + secrets.token_hex(4)


def with_ids(names):
    return [{"id": str(uuid.uuid4()), "name": name} for name in names]


def age(born):
    today = date.today()
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def stamped(rows):
    begun = time.perf_counter()
    found = [(row, datetime.now(timezone.utc), random.random()) for row in rows]
    log.info("took %.0f s", time.perf_counter() - begun)
    return found


def summed(rows):
    return sum(sum(row) for row in rows)


class Cart:
    def __init__(self, lines):
        self.lines = list(lines)

    @property
    def total(self):
        return sum(price * count for price, count in self.lines)


class Kept:
    """Keeps what it found until it is told otherwise."""

    def __init__(self, values):
        self.values = list(values)
        self.found = {}

    def top(self, count):
        if count not in self.found:
            self.found[count] = sorted(self.values)[-count:]
        return list(self.found[count])
'''

TESTS = """
from datetime import date

import pytest
from shop.goods import Cart, Kept, age, stamped, summed, token, with_ids


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_all(n):
    assert len(token(["a"] * n)) > n
    assert len(with_ids(["a"] * n)) == n
    assert age(date(1950 + n, n, 28)) > 0
    assert len(stamped(list(range(n)))) == n
    assert summed([[i, n] for i in range(n)]) > 0
    assert Cart([(i, n) for i in range(n)]).total >= 0
    assert len(Kept(range(n)).top(1)) == 1
"""

ELSEWHERE = "at another time, with other random values: result"
CHANGED = "if the same objects have changed since the previous call: result"

STALE = {
    "a secret that is taken once": (
        "token",
        ELSEWHERE,
        (
            "import secrets\nSALT = secrets.token_hex(4)\n"
            "def token(parts):\n    return '-'.join(parts) + SALT\n"
        ),
    ),
    "a secret that is a literal": (
        "token",
        ELSEWHERE,
        "def token(parts):\n    return '-'.join(parts) + '42' * 4\n",
    ),
    "one identifier for all": (
        "with_ids",
        ELSEWHERE,
        (
            "def with_ids(names):\n    one = str(uuid.uuid4())\n"
            "    return [{'id': one, 'name': name} for name in names]\n"
        ),
    ),
    "today as it was at import": (
        "age",
        ELSEWHERE,
        (
            "TODAY = date.today()\ndef age(born):\n"
            "    before = (TODAY.month, TODAY.day) < (born.month, born.day)\n"
            "    return TODAY.year - born.year - before\n"
        ),
    ),
    "a total by the object": (
        "Cart.total",
        CHANGED,
        (
            "import weakref\nTOTALS = weakref.WeakKeyDictionary()\nclass Cart:\n    @property\n"
            "    def total(self):\n        if self not in TOTALS:\n"
            "            TOTALS[self] = sum(a * b for a, b in self.lines)\n"
            "        return TOTALS[self]\n"
        ),
    ),
    "a total by what the object holds": (
        "Cart.total",
        CHANGED,
        (
            "KEPT = {}\nclass Cart:\n    @property\n"
            "    def total(self):\n"
            "        if KEPT.get(id(self.lines), ((), 0))[0] is not self.lines:\n"
            "            KEPT[id(self.lines)] = self.lines, sum(a * b for a, b in self.lines)\n"
            "        return KEPT[id(self.lines)][1]\n"
        ),
    ),
    "a sum by the list": (
        "summed",
        CHANGED,
        (
            "KEPT = {}\ndef summed(rows):\n    if KEPT.get(id(rows), ((), 0))[0] is not rows:\n"
            "        KEPT[id(rows)] = rows, sum(map(sum, rows))\n    return KEPT[id(rows)][1]\n"
        ),
    ),
    "a sum by each row": (
        "summed",
        CHANGED,
        (
            "KEPT = {}\ndef one(row):\n    if KEPT.get(id(row), ((), 0))[0] is not row:\n"
            "        KEPT[id(row)] = row, sum(row)\n    return KEPT[id(row)][1]\n"
            "def summed(rows):\n    return sum(map(one, rows))\n"
        ),
    ),
}
"""Name: the function, what the difference is called, and the candidate."""

RIGHT = {
    "a secret each time": (
        "token",
        "def token(parts):\n    return ''.join(('-'.join(parts), secrets.token_hex(4)))\n",
    ),
    "identifiers in the same order": (
        "with_ids",
        (
            "def with_ids(names):\n    ids = [str(uuid.uuid4()) for _ in names]\n"
            "    return [{'id': one, 'name': name} for one, name in zip(ids, names)]\n"
        ),
    ),
    "the present once a call, timed more often": (
        "stamped",
        (
            "def stamped(rows):\n    begun = time.perf_counter()\n"
            "    now = datetime.now(timezone.utc)\n    time.perf_counter()\n"
            "    found = [(row, now, random.random()) for row in rows]\n"
            "    log.info('took %.0f s', time.perf_counter() - begun)\n    return found\n"
        ),
    ),
    "it asks for the time where the original does not": (
        "summed",
        (
            "def summed(rows):\n    begun = time.time()\n    found = sum(map(sum, rows))\n"
            "    if time.time() - begun > 60:\n        log.warning('slow')\n    return found\n"
        ),
    ),
    "a cache by value": (
        "summed",
        (
            "import functools\n@functools.cache\ndef one(row):\n    return sum(row)\n"
            "def summed(rows):\n    return sum(one(tuple(row)) for row in rows)\n"
        ),
    ),
    "what the object keeps, as the original does": (
        "Kept.top",
        (
            "class Kept:\n    def top(self, count):\n        found = self.found.get(count)\n"
            "        if found is None:\n"
            "            found = self.found[count] = sorted(self.values)[-count:]\n"
            "        return found.copy()\n"
        ),
    ),
}


@pytest.fixture(scope="module")
def baselines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CompareBaseline]:
    return {"": baseline_of(_project(tmp_path_factory.mktemp("repeats")), "token")}


def _project(root: Path) -> Path:
    return make_project(root, MODULE, TESTS)


def _of(baselines: dict[str, CompareBaseline], name: str) -> CompareBaseline:
    if name not in baselines:
        baselines[name] = baseline_of(Path(baselines[""].subject.root), name)
    return baselines[name]


@pytest.mark.parametrize("name", STALE)
def test_what_is_out_of_date_differs(baselines: dict[str, CompareBaseline], name: str) -> None:
    function, where, text = STALE[name]
    found = behaviour(_of(baselines, function), text)
    assert found.verdict == "different"
    assert first_difference(found).startswith(where)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_at_any_time_is_alike(
    baselines: dict[str, CompareBaseline], name: str
) -> None:
    function, text = RIGHT[name]
    found = behaviour(_of(baselines, function), text)
    assert found.verdict == "same"
    assert not [case for case in found.cases if case.outcome != "same"]


def test_a_function_that_asks_for_nothing_is_not_called_in_other_worlds(
    baselines: dict[str, CompareBaseline],
) -> None:
    summed, token = _of(baselines, "summed").outcomes, _of(baselines, "token").outcomes
    assert summed.elsewhere == {}
    assert summed.changed
    assert set(token.elsewhere) == {place for place, again in token.calls if again}


def test_calls_that_never_end_in_another_world_are_compared_without(tmp_path: Path) -> None:
    root = make_project(
        tmp_path,
        "import time\n\ndef year(values):\n    while time.time() > 1.9e9:\n        pass\n"
        "    return sum(values)\n",
        "import pytest\nfrom shop.goods import year\n\n"
        "@pytest.mark.parametrize('n', range(6))\ndef test_year(n):\n"
        "    assert year([n, 1]) == n + 1\n",
    )
    baseline = baseline_of(root, "year", generate=0)
    assert len(baseline.calls) == 6
    assert [note for note in baseline.notes if "not repeated under other conditions" in note]
    found = behaviour(baseline, "def year(values):\n    time.time()\n    return sum(values)\n")
    assert found.verdict == "same"
