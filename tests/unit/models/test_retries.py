"""When a request is sent again, and after which wait."""

from datetime import UTC, datetime

import pytest

from steelyard.models import Waits
from steelyard.models._retries import MAX_RETRY_AFTER_S, may_pass, retry_after_s

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "passing"),
    [
        *((status, False) for status in (400, 401, 402, 403, 404, 413, 422)),
        *((status, True) for status in (408, 409, 429, 500, 502, 503, 504, 529)),
    ],
)
def test_what_may_pass(status: int, passing: bool) -> None:
    assert may_pass(status) is passing


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": " 12 "}, 12.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Thu, 01 Jan 2026 12:01:00 GMT"}, 60.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Thursday, 01-Jan-26 12:00:10 GMT"}, 10.0),
        ({"retry-after": "Thu Jan  1 12:00:10 2026"}, 10.0),
        ({"retry-after": "Thu, 99 Jan 2026 12:00:10 GMT"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
    ],
)
def test_what_retry_after_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, NOON) == seconds


def test_waits_double_up_to_a_bound_and_chance_spreads_them() -> None:
    shortest = Waits(chance=lambda: 0.0, now=lambda: NOON)
    longest = Waits(chance=lambda: 1.0, now=lambda: NOON)
    failures = [*range(1, 10), 1_000_000]
    assert [longest.seconds(n, {}) for n in failures] == [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert [shortest.seconds(n, {}) * 2 for n in failures] == [
        longest.seconds(n, {}) for n in failures
    ]


def test_a_wait_is_never_shorter_than_asked_for_and_bounded() -> None:
    for chance in (0.0, 0.5, 1.0):
        waits = Waits(chance=lambda chance=chance: chance, now=lambda: NOON)
        assert waits.seconds(1, {"retry-after": "30"}) >= 30
        assert waits.seconds(1, {"retry-after": "999999"}) <= MAX_RETRY_AFTER_S + 1
