import pytest

from tmpl.escape import escape_html
from tmpl.render import render

ARTICLE = "Tom & Jerry said: \"2 < 3\", 'n est-ce pas? <b>Oui</b>. " * 12


@pytest.mark.parametrize(
    "text, escaped",
    [("", ""), ("plain", "plain"), ("a<b", "a&lt;b"), ("&amp;", "&amp;amp;"), ("\u00fc'", "\u00fc&#39;")],
)
def test_short(text, escaped):
    assert escape_html(text) == escaped


def test_article():
    assert "<b>" not in escape_html(ARTICLE)
    assert escape_html(ARTICLE).count("&amp;") == 12


def test_render():
    assert render("<p>{title}</p>", title="R&D") == "<p>R&amp;D</p>"


def test_plain_article():
    text = "Nothing to escape in this sentence. " * 20
    assert escape_html(text) == text
