import pytest

from crawler.links import links

TEXT = "<p>Lorem ipsum dolor sit amet, <b>consectetur</b> adipiscing elit.</p>\n" * 30


@pytest.fixture
def pages():
    return [TEXT + f'<a class="x" href="/page/{i}#top">page {i}</a>' + TEXT for i in range(6)]


def test_pages(pages):
    assert links(pages) == [f"/page/{i}" for i in range(6)]


def test_capitals():
    assert links([TEXT + '<A HREF = "/up">up</A>']) == ["/up"]


def test_no_links():
    assert links([TEXT, TEXT]) == []


def test_two_in_one(pages):
    assert links([pages[0] + pages[1]]) == ["/page/0", "/page/1"]
