"""halo-forge: prompts with assertions, and programs whose output holds some text."""

import re

from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.rows import RowError

__all__ = ["read_halo_forge", "read_halo_forge_tier"]

_UNCALLED = re.compile(r"^def (test_\w+)\(\):", re.MULTILINE)


def read_halo_forge(row: Fields) -> TaskFields:
    """Return the task of `task_id, prompt, tests, entry_point`.

    The tests are HumanEval's `check(candidate)`, or a function `test_solution()`, which is called
    here. A prompt that begins the function is continued, as in HumanEval.
    """
    prompt, name = row.text("prompt"), row.text("entry_point")
    tests = row.row.get("tests")
    codes = [row.text("tests")] if isinstance(tests, str) else row.texts("tests")
    begun = f"def {name}(" in prompt
    return {
        "id": row.identifier("task_id"),
        "prompt": prompt,
        "entry": f"asserts:{name}",
        "language": "python",
        "completion": "continuation" if begun else "program",
        "tests": [
            {"code": _called(code), "setup": prompt if begun and "check(" in code else ""}
            for code in codes
        ],
    }


def _called(code: str) -> str:
    calls = "".join(f"\n{name}()\n" for name in _UNCALLED.findall(code))
    return f"{code}\n{calls}" if calls else code


def read_halo_forge_tier(row: Fields) -> TaskFields:
    """Return the task of `id, tier, prompt, solution, test_cases[{type, value}], ...`."""
    tests = []
    for case in row.objects("test_cases"):
        if case.text("type") != "output_contains":
            kind = one_line(case.text("type"))
            raise RowError(f'a case of type "{kind}" is not supported; only output_contains is')
        tests.append({"input": "", "expected": case.text("value")})
    solution = row.text_if_any("solution")
    return {
        "id": row.identifier("id"),
        "prompt": row.text("prompt"),
        "tests": tests,
        "match_mode": "contains",
        "solutions": [{"source": solution, "language": "cpp"}] if solution else [],
        "time_limit_ms": row.amount("timeout_seconds", 1000),
        "difficulty": row.line("difficulty"),
        "tags": [one_line(tag) for tag in row.texts("tags") if tag],
        "group": row.line("category"),
        "extra": row.kept("tier", "api", "verification_strategy", "requires_admin"),
    }
