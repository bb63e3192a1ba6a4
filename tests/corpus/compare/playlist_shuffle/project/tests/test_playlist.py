import pytest

from player.playlist import spread


@pytest.fixture
def songs():
    return [(f"artist {i * i % 7}", f"song {i}") for i in range(100)]


def test_nothing_gets_lost(songs):
    assert sorted(spread(songs)) == sorted(songs)


def test_turns():
    songs = [("a", "1"), ("a", "2"), ("b", "3")]
    assert spread(songs) == [("a", "1"), ("b", "3"), ("a", "2")]


def test_none():
    assert spread([]) == []


def test_one_artist():
    songs = [("a", str(i)) for i in range(60)]
    assert spread(songs) == songs
