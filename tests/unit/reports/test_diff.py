"""A unified diff is read into rows with their line numbers and with the words that changed."""

from steelyard.reports._diff import read_diff
from tests.unit.comparing.sample_comparisons import diff


def test_a_diff_is_read_by_the_sizes_of_its_hunks() -> None:
    rows = read_diff(
        "--- a\n+++ b\n@@ -3,2 +3,2 @@ f\n x\n--- a\n+++ b\n\\ No newline\n@@ -9 +9,0 @@\n-z\n"
    )
    assert [(row.kind, row.text, row.old, row.new) for row in rows] == [
        ("hunk", "@@ -3,2 +3,2 @@ f", None, None),
        ("same", "x", 3, 3),
        ("removed", "-- a", 4, None),
        ("added", "++ b", None, 4),
        ("other", "\\ No newline", None, None),
        ("hunk", "@@ -9 +9,0 @@", None, None),
        ("removed", "z", 9, None),
    ]


def test_text_that_is_no_diff_is_kept_as_it_is() -> None:
    rows = read_diff("nothing\nlike @@ a diff\n")
    assert [(row.kind, row.text) for row in rows] == [
        ("other", "nothing"),
        ("other", "like @@ a diff"),
    ]
    assert read_diff("") == []


def test_a_changed_line_is_marked_where_it_changed_only() -> None:
    rows = read_diff(diff("def f(a):\n    return a + 1\n", "def f(a):\n    return a + 2\n"))
    removed, added = (row for row in rows if row.kind in ("removed", "added"))
    assert removed.spans == (("    return a + ", False), ("1", True))
    assert added.spans == (("    return a + ", False), ("2", True))
    rows = read_diff(diff("    something = 1\n", "for all in other:\n"))
    assert all(not changed for row in rows for _, changed in row.spans)


def test_every_line_comes_out_of_the_diff_as_it_went_in() -> None:
    text = diff("a b\n  c (d)\n\n" * 30, "  c (d) \n a b\n\t\n" * 30)
    signs = {"same": " ", "removed": "-", "added": "+"}
    rows = read_diff(text)
    assert [signs.get(row.kind, "") + row.text for row in rows] == text.splitlines()[2:]
