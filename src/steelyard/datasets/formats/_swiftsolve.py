"""SwiftSolve's tasks: the fields of `ProblemInput`, and the files of its `datasets/` folder."""

from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.formats._format import TaskFields
from steelyard.judging import io_cases, pairs_of

__all__ = ["read_swiftsolve", "read_swiftsolve_file"]

_SAME = ("input_bounds", "input_generator", "match_mode")


def read_swiftsolve(row: Fields) -> TaskFields:
    """Return the task of `task_id, prompt, constraints, unit_tests[{input, output}]`."""
    limits = row.within("constraints")
    return {
        "id": row.identifier("task_id"),
        "prompt": row.text("prompt"),
        "tests": io_cases(pairs_of(row.row.get("unit_tests"), "unit_tests"), "unit_tests"),
        "time_limit_ms": limits.amount("runtime_limit"),
        "memory_limit_mib": limits.amount("memory_limit"),
        "match_mode": "tokens",
        **row.kept(*_SAME),
    }


def read_swiftsolve_file(row: Fields) -> TaskFields:
    """Return the task of a file: `task_id, title, description, test_cases, expected_complexity`."""
    sections = (("input_format", "Input"), ("output_format", "Output"))
    described = [row.text("description")] + [
        f"## {heading}\n{text}" for name, heading in sections if (text := row.text_if_any(name))
    ]
    return {
        "id": row.identifier("task_id"),
        "title": row.line("title"),
        "prompt": "\n\n".join(described),
        "tests": io_cases(pairs_of(row.row.get("test_cases"), "test_cases"), "test_cases"),
        "match_mode": "tokens",
        "time_limit_ms": row.amount("time_limit_ms"),
        "memory_limit_mib": row.amount("memory_limit_mb"),
        "time_complexity": row.line("expected_complexity"),
        "difficulty": row.line("difficulty"),
        "tags": [one_line(tag) for tag in row.texts("tags") if tag],
        "provenance": {"url": one_line(row.text_if_any("source_url"))},
        "extra": row.kept("expected_approach", "source_rating"),
        **row.kept("input_bounds"),
    }
