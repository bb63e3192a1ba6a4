import pytest

from docs.outline import numbered


@pytest.fixture
def manual():
    lines = []
    for i in range(60):
        lines += ["#" * (i % 3 + 1) + f" Part {i}", "Some text."]
    return lines


def test_manual(manual):
    result = numbered(manual)
    assert result[0] == "1 Part 0"
    assert result[4] == "1.1.1 Part 2"
    assert len(result) == 120


def test_siblings():
    assert numbered(["# A", "## B", "## C", "# D"]) == ["1 A", "1.1 B", "1.2 C", "2 D"]


def test_skipped_level():
    assert numbered(["# A", "### B"]) == ["1 A", "1.0.1 B"]


def test_text_stays():
    assert numbered(["text", ""]) == ["text", ""]
