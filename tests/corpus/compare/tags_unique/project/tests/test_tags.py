import pytest

from blog.tags import tag_line, unique_tags


@pytest.fixture
def tags():
    return [f"Topic{i // 3:02}" for i in range(120)]


def test_each_once(tags):
    assert unique_tags(tags) == [f"topic{i:02}" for i in range(40)]


def test_case_does_not_matter():
    assert unique_tags(["ASYNC", "async", "Python", "python"]) == ["async", "python"]


def test_none():
    assert unique_tags([]) == []


def test_line():
    assert tag_line(["Django", "Flask"]) == "django, flask"
