"""open-r1/codeforces."""

from steelyard.datasets.formats._codecontests import limits_of
from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.rows import RowError
from steelyard.judging import FORMS, VISIBLE, io_cases, pairs_of

__all__ = ["read_codeforces"]

_SECTIONS = (
    ("input_format", "Input"), ("output_format", "Output"), ("interaction_format", "Interaction"),
    ("note", "Note"),
)  # fmt: skip

_CHECKER = '''\
"""Run a checker of the form `checker.py input answer output`, which prints a score up to 1."""
import contextlib, io, sys
given, output, answer = sys.argv[1:4]
sys.argv = ["checker.py", given, answer, output]
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    try:
        exec(compile({source!r}, "checker.py", "exec"), {{"__name__": "__main__"}})
    except SystemExit:
        pass
sys.exit(0 if float(printed.getvalue().split()[-1]) >= 1 else 1)
'''


def read_codeforces(row: Fields) -> TaskFields:
    """Return the task of a row with `official_tests`, `generated_checker` and `examples`."""
    if row.text_if_any("interaction_format"):
        raise RowError("the task is interactive: its programs talk to a judge; leave it out")
    mode = row.text_if_any("input_mode")
    if mode not in ("", "stdio"):
        raise RowError(f'"input_mode" is {one_line(mode)!r}; only stdio is supported')
    examples = io_cases(pairs_of(row.row.get("examples"), "examples"), "examples", VISIBLE)
    shown = {(case["input"], case["expected"]) for case in examples}
    tests = pairs_of(row.row.get("official_tests"), "official_tests")
    official = [
        case
        for case in io_cases(tests, "official_tests", "official")
        if (case["input"], case["expected"]) not in shown
    ]
    checker = row.text_if_any("generated_checker")
    return {
        "id": row.text("id"),
        "title": row.line("title"),
        "prompt": _statement(row),
        "tests": [*examples, *official],
        **({"checker": {"source": _CHECKER.format(source=checker), "language": "python"}}
           if checker else {"form": "codeforces", **FORMS["codeforces"].printed}),
        **limits_of(row),
        "difficulty": row.line("rating"),
        "tags": [one_line(tag) for tag in row.texts("tags") if tag],
        "group": row.line("contest_id"),
        "published": row.day("contest_start"),
        "extra": row.kept("aliases", "contest_name", "contest_type", "index", "testset_size",
                          "official_tests_complete", "generated_tests"),
    }  # fmt: skip


def _statement(row: Fields) -> str:
    parts = [row.text("description")]
    for name, heading in _SECTIONS:
        if text := row.text_if_any(name):
            parts.append(f"## {heading}\n{text}")
    return "\n\n".join(parts)
