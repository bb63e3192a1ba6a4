"""MBPP: the full set, the sanitised one, and the form of EvalPlus's tables."""

import re

from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._format import TaskFields
from steelyard.judging import VISIBLE

__all__ = ["read_mbpp"]


def read_mbpp(row: Fields) -> TaskFields:
    """Return the task of `task_id, text or prompt, code, test_list`.

    The paper's prompt shows the tests, which alone name the function. So does this one.
    """
    imports = row.texts("test_imports")
    setup = row.text_if_any("test_setup_code")
    shown = row.texts("test_list")
    parts = [(code, VISIBLE) for code in shown]
    parts += [(code, "challenge") for code in row.texts("challenge_test_list")]
    if plus := row.text_if_any("test"):
        parts.append((_asserting(plus), "plus"))
    question = row.text("text" if "text" in row.row else "prompt")
    listed = "\n".join(shown)
    return {
        "id": row.identifier("task_id"),
        "prompt": f"{question}\nYour code should pass these tests:\n\n{listed}\n",
        "entry": "asserts",
        "form": "mbpp",
        "setup": "\n".join(filter(None, [*imports, setup])),
        "language": "python",
        "tests": [{"code": code, "category": category} for code, category in parts],
        "solutions": [{"source": row.text("code")}],
        "extra": row.kept("source_file"),
    }


def _asserting(test: str) -> str:
    """Return a test of EvalPlus's table whose function `assertion` asserts what it compared.

    That of Mbpp/737, 787 and 794 ends with `exact_match = ...`, and would accept any program.
    """
    functions, inputs, rest = test.partition("\ninputs = ")
    if "exact_match = " not in functions or re.search(r"\bassert\b", functions):
        return test
    return f"{functions.rstrip()}\n    assert exact_match\n{inputs}{rest}"
