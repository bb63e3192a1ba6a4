"""SwiftSolve's tasks: the fields of `ProblemInput`."""

from steelyard.datasets.formats._cases import io_cases, io_pairs
from steelyard.datasets.formats._fields import Fields
from steelyard.datasets.formats._format import TaskFields

__all__ = ["read_swiftsolve"]

_SAME = ("input_bounds", "input_generator", "match_mode")


def read_swiftsolve(row: Fields) -> TaskFields:
    """Return the task of `task_id, prompt, constraints, unit_tests[{input, output}]`."""
    limits = row.within("constraints")
    return {
        "id": row.identifier("task_id"),
        "prompt": row.text("prompt"),
        "tests": io_cases(io_pairs(row, "unit_tests"), "unit_tests"),
        "time_limit_ms": limits.amount("runtime_limit"),
        "memory_limit_mib": limits.amount("memory_limit"),
        "match_mode": "tokens",
        **row.kept(*_SAME),
    }
