import pytest

from spider.hosts import hosts


@pytest.fixture
def urls():
    return [f"https://Site{i * 7 % 30}.example/page/{i}" for i in range(120)]


def test_all(urls):
    assert sorted(hosts(urls)) == sorted(f"site{i}.example" for i in range(30))


def test_each_once(urls):
    assert len(hosts(urls)) == len(set(hosts(urls)))


def test_one():
    assert hosts(["http://a/x", "http://A/y"]) == ["a"]


def test_none():
    assert hosts([]) == []
