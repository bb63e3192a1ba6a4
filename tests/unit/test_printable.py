"""What somebody else wrote is shown without steering the terminal."""

import pytest

from steelyard._printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ü 漢", "plain ü 漢"),
        ("", ""),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb\x00", r"a\nb\x00"),
        ("left\u202eright", r"left\u202eright"),
        ("lone \ud800", r"lone \ud800"),
    ],
)
def test_what_has_no_shape_becomes_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(text).isprintable()
