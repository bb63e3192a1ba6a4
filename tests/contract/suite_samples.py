"""A small module, suites for it, and what a model writes around them."""

import json
from typing import Any

MODULE = '''\
"""Prices of a shop."""


def discount(price, percent):
    """Return the price less a share of it, in whole cents."""
    if not 0 <= percent <= 100:
        raise ValueError("percent must be 0 to 100")
    return price - price * percent // 100
'''
BUG = MODULE.replace("<= 100", "< 100")

PERFECT = """\
import pytest

from prices import discount


@pytest.mark.parametrize(
    "price, percent, left", [(200, 10, 180), (999, 33, 670), (50, 50, 25), (80, 75, 20), (7, 30, 5)]
)
def test_normal_prices(price, percent, left):
    assert discount(price, percent) == left


@pytest.mark.parametrize(
    "price, percent, left", [(0, 20, 0), (-200, 10, -180), (10**12, 25, 75 * 10**10), (-1, 50, 0),
    (0, 0, 0)]
)
def test_edge_prices(price, percent, left):
    assert discount(price, percent) == left


@pytest.mark.parametrize("percent, left", [(0, 300), (1, 297), (99, 3), (100, 0)])
def test_boundary_percent(percent, left):
    assert discount(300, percent) == left


@pytest.mark.parametrize("percent", [-1, 101, 1000])
def test_exception_percent(percent):
    with pytest.raises(ValueError, match="^percent must be 0 to 100$"):
        discount(300, percent)
"""
"""It holds what every criterion asks for."""

WEAK = """\
import pytest

from prices import discount


def test_normal_price():
    assert discount(200, 10) == 180


def test_normal_returns():
    discount(200, 10)


def test_exception_percent():
    with pytest.raises(Exception):
        discount(200, 300)
"""
"""All of it passes, and little is checked."""

RED = PERFECT.replace("(200, 10, 180)", "(200, 10, 181)")
"""A test of it fails."""


def written(code: str) -> str:
    """A suite as a model writes it first."""
    return f"Here is the suite:\n```python\ntest_prices.py\n{code}```\n"


def updated(code: str, **fields: Any) -> str:
    """A changed suite as a model answers with it."""
    reply = {
        "status": "updated",
        "issues_found": ["Few tests"],
        "improvements_made": ["More tests"],
        "test_code": f"test_prices.py\n{code}",
    }
    return json.dumps(reply | fields)


CALLED_PERFECT = json.dumps({"status": "perfect", "message": "All is covered."})
