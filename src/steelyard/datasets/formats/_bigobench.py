"""BigO(Bench): problems with human solutions, and the test sets of complexity."""

from steelyard.datasets.formats._codecontests import limits_of
from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.formats._html import statement_of
from steelyard.judging import FORMS, VISIBLE, io_cases, pairs_of

__all__ = ["read_bigobench"]

_TESTS = {"public_tests": VISIBLE, "private_tests": "private", "generated_tests": "generated"}


def read_bigobench(row: Fields) -> TaskFields:
    """Return the task of a problem, or of a solution in a test set, whose class is then asked for.

    A problem has several solutions in a test set: the id of the solution is part of the task's.
    """
    described = row.row.get("description")
    prompt = statement_of(
        (row.within("description") if isinstance(described, dict) else row).text(
            "text" if isinstance(described, dict) else "description"
        )
    )
    tests = row.within("tests")
    solution = row.line("solution_id")
    problem = row.identifier("problem_id")
    known = row.within("codeforces_specific_metadata")
    programs = [
        *row.texts_of("correct_solution_list", "solution_code"),
        *filter(None, [row.text_if_any("solution_code")]),
    ]
    time, memory = row.line("time_complexity_inferred"), row.line("space_complexity_inferred")
    classes = {"time_complexity": _class(time), "memory_complexity": _class(memory)}
    return {
        "id": f"{problem}/{solution}" if solution else problem,
        "title": row.line("problem_name"),
        "prompt": prompt,
        "tests": [
            case
            for name, kind in _TESTS.items()
            for case in io_cases(pairs_of(tests.row.get(name), name), name, kind)
        ],
        "form": "codecontests",
        **FORMS["codecontests"].printed,
        **limits_of(row.within("source_specific_limits")),
        "solutions": [
            {"source": source, "language": "python", **classes} for source in programs
        ],
        **classes,
        "difficulty": known.line("difficulty"),
        "tags": [one_line(tag) for tag in known.texts("cf_tags") if tag],
        "group": problem,
        "extra": row.kept(
            "data_source", "human_accuracy_rate", "time_curve_coefficient",
            "space_curve_coefficient", "inputs_example", "dataclass_code", "dataclass",
        ),
    }  # fmt: skip


def _class(text: str) -> str:
    """Return a class as `O(...)`: the labels are written `o(n)`."""
    return f"O{text[1:]}" if text[:2] == "o(" else text
