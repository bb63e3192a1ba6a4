import asyncio

import pytest

from feeds.merge import merge
from feeds.sources import Source


def feed(start, count):
    links = [f"https://news.example/{(start + i * 3) % 240}" for i in range(count)]
    return Source([links[i : i + 40] for i in range(0, count, 40)])


@pytest.mark.parametrize("starts", [(0, 1), (0, 50, 100), (5,)])
def test_each_once(starts):
    links = asyncio.run(merge([feed(start, 120) for start in starts]))
    assert len(links) == len(set(links))


def test_order():
    assert asyncio.run(merge([Source([["b", "a"]]), Source([["a", "c"]])])) == ["b", "a", "c"]


def test_none():
    assert asyncio.run(merge([])) == []


def test_an_empty_page_ends_a_feed():
    assert asyncio.run(merge([Source([["a"], [], ["b"]])])) == ["a"]
