"""Whatever a candidate's text is, reading it ends in data, and soon."""

from pathlib import Path

import pytest

from steelyard.comparing.function import Candidate, read_candidate
from steelyard.schemas import Reason
from tests.unit.comparing.subject_samples import read, refused, subject_in

MODULE = "K = 1\n\n\ndef f(x):\n    return x\n"
LINES = 100_000

TOO_MUCH = [
    "def f(x): return " + "(" * 5000 + ")" * 5000,
    "def f(x): return " + "[" * 101 + "]" * 101,
    "def f(x): return " + "-" * 100_000 + "x",
    "def f(x): return " + "not " * 50_000 + "x",
    "def f(x): return " + "x+" * 100_000 + "x",
    "def f(x): return x" + ".a" * 100_000,
    "def f(x): return x" + "()" * 60_000,
    "def f(x): return " + "lambda:" * 50_000 + "x",
    "def f(x): return " + "1 if x else " * 30_000 + "1",
    "def f(x):\n if 1: pass\n" + " elif 1: pass\n" * 40_000,
    "def f(x): return " + "f'{" * 200 + "}'" * 200,
    "".join(" " * depth + "if 1:\n" for depth in range(120)) + " " * 120 + "pass\n",
    "x\n" * 300_000,
    "x" * (5 * 2**20),
    "def f(x): return 1\n\0",
    "def f(x): return '\ud800'\n",
    "def f(x): return " + "9" * 10_000,
    "'''" + "\\'''" * LINES,
    '"""' + '\\"""' * LINES,
    "`" * LINES,
    "```\n" * LINES,
    "```python\nx = (\n```\n" * 1000,
    "@@ -1 +1 @@\n" * LINES,
    "--- a\n+++ b\n" * LINES,
    "--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n" + "-a\n" * LINES,
    "@" * 1000 + "\ndef f(x): pass",
    "\x0c\x0b\x85\u2028",
    "\r" * LINES + "def",
    "def f(x):\n\treturn 1\n        return 2\n",
]


@pytest.mark.parametrize("text", TOO_MUCH, ids=range(len(TOO_MUCH)))
def test_it_ends_in_a_reason(tmp_path: Path, text: str) -> None:
    reason = refused(subject_in(tmp_path, MODULE), text)
    assert reason.code == ("does-not-parse" if text.strip("`\n") else "function-missing")


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return " + "(" * 90 + "x" + ")" * 90 + "\n",
        "def f(x):\n    return '" + "(" * 5000 + "'\n",
        "def f(x):\n    # " + "([{" * 5000 + "\n    return 1\n",
        "def f(x):\n    return '''" + "'\"(\n" * 5000 + "'''\n",
        "def f(x):\n    return '" + "a" * 2**21 + "'\n",
        "def f(x):\n    return 0x" + "f" * 10_000 + "\n",
        "def f(x):\n    return '\\d \\q'\n",
        "def f(x):\n" + "    x = x + 1\n" * 5_000 + "    return x\n",
        "def f(x):\n    return [" + "1, " * 20_000 + "]\n",
    ],
    ids=range(9),
)
def test_large_but_sound_text_is_taken(tmp_path: Path, text: str) -> None:
    assert text in read(subject_in(tmp_path, MODULE), text).module_text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a", "    a\n" * 20_000 + "    b\n"),
        ("same", "    same\n" * 20_000),
    ],
)
def test_hunks_among_equal_lines_are_found_soon(tmp_path: Path, old: str, new: str) -> None:
    module = 'def f(x):\n    """\n' + f"    {old}\n" * 30_000 + '    """\n'
    subject = subject_in(tmp_path, module)
    body = "".join(f" {line}\n" for line in new.splitlines())
    diff = f"--- a/m.py\n+++ b/m.py\n@@ -15000 +15000 @@\n{body}+    x = 1\n"
    assert isinstance(read_candidate(subject, diff), Candidate | Reason)


def test_a_diff_of_two_large_unlike_texts_is_made_soon(tmp_path: Path) -> None:
    subject = subject_in(
        tmp_path, "def f(x):\n" + "".join(f"    x = {n % 90}\n" for n in range(4000))
    )
    candidate = read(subject, "def f(x):\n" + "".join(f"    x = {n % 89}\n" for n in range(4000)))
    assert candidate.diff.count("\n-") >= 3900


def test_a_default_that_cannot_be_shown_is_still_compared(tmp_path: Path) -> None:
    subject = subject_in(tmp_path, "def f(x=1): pass\n")
    reason = refused(subject, "def f(x=0x" + "f" * 10_000 + "): pass\n")
    assert reason.code == "signature-changed"


def test_nothing_of_a_candidate_is_executed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = f"open({str(mark)!r}, 'w')\n" + "def f(x):\n    return x\n"
    candidate = read(subject_in(tmp_path, MODULE), text)
    assert "open(" in candidate.module_text
    assert not mark.exists()
