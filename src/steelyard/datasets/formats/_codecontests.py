"""CodeContests, and CodeContests+ and CodeContests-O, which give its problems better tests."""

from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.rows import RowError
from steelyard.judging import FORMS, VISIBLE, io_cases, pairs_of

__all__ = [
    "judged_programs", "limits_of", "read_codecontests", "read_codecontests_o",
    "read_codecontests_plus",
]  # fmt: skip

_TESTS = {"public_tests": VISIBLE, "private_tests": "private", "generated_tests": "generated"}
_LANGUAGES = {1: "python2", 2: "cpp", 3: "python", 4: "java"}
_LANGUAGE_NAMES = {
    "py2": "python2", "python2": "python2", "py3": "python", "python3": "python",
    "python": "python", "cpp": "cpp", "c++": "cpp", "java": "java",
}  # fmt: skip
_LEAST_MS = 100
_SOURCES = ("", "codechef", "codeforces", "hackerearth", "codejam", "atcoder", "aizu")
_DIFFICULTIES = ("", "easy", "medium", "hard", "harder", "hardest", "external")


def read_codecontests(row: Fields) -> TaskFields:
    """Return the task of DeepMind's columns, as its protocol buffer documents them."""
    for name in ("input_file", "output_file"):
        if row.text_if_any(name):
            raise RowError(f'programs use "{name}" and not standard input and output; leave it out')
    tests = [
        case
        for name, kind in _TESTS.items()
        for case in io_cases(pairs_of(row.row.get(name), name), name, kind)
    ]
    contest = row.number("cf_contest_id")
    source = _named(row.number("source"), _SOURCES)
    return {
        "id": row.text("name"),
        "title": row.line("name"),
        "prompt": row.text("description"),
        "tests": tests,
        **_TOLERANT,
        **limits_of(row),
        "solutions": [
            *judged_programs(row, "solutions", "right"),
            *judged_programs(row, "incorrect_solutions", "wrong"),
        ],
        "difficulty": _difficulty(row.number("difficulty")),
        "tags": [one_line(tag) for tag in row.texts("cf_tags") if tag],
        "group": f"codeforces-{contest:.0f}" if contest else "",
        "extra": {**({"site": source} if source else {}),
                  **row.kept("cf_index", "cf_rating", "cf_points")},
    }  # fmt: skip


_TOLERANT = {"form": "codecontests", **FORMS["codecontests"].printed}


def read_codecontests_plus(row: Fields) -> TaskFields:
    """Return the task of CodeContests+: its tests are in the configurations `1x` to `5x`.

    Its checker decides. The validator and the generator are C++ programs, kept as text.
    """
    known = row.line("id")
    return {
        "id": row.identifier("id") if known else row.text("title"),
        "title": row.line("title"),
        "prompt": row.text("description"),
        "tests": io_cases(pairs_of(row.row.get("test_cases"), "test_cases"), "test_cases"),
        **_checker(row),
        **limits_of(row),
        "solutions": [
            *judged_programs(row, "correct_submissions", "right"),
            *judged_programs(row, "incorrect_submissions", "wrong"),
        ],
        "extra": row.kept(
            "source", "generator", "generator_cmd", "validator", "true_positive_rate",
            "true_negative_rate",
        ),
    }  # fmt: skip


def read_codecontests_o(row: Fields) -> TaskFields:
    """Return the task of CodeContests-O, whose final tests are its `corner_cases`."""
    return {
        "id": row.text("name"),
        "title": row.line("name"),
        "prompt": row.text("description"),
        "tests": io_cases(pairs_of(row.row.get("corner_cases"), "corner_cases"), "corner_cases"),
        **_checker(row),
        **limits_of(row),
        "extra": row.kept("generator", "commands", "input_constraints_summary"),
    }


def limits_of(row: Fields) -> TaskFields:
    """Return the limits, whose unit depends on the data set.

    `time_limit` is an object of seconds and nanos, or seconds; 100 and more are ms. Memory is in
    bytes in `memory_limit_bytes`, and in MiB in `memory_limit`.
    """
    if isinstance(row.row.get("time_limit"), dict):
        parts = row.within("time_limit")
        seconds = (parts.number("seconds") or 0) + (parts.number("nanos") or 0) / 1e9
    else:
        seconds = row.number("time_limit") or 0
        seconds = seconds / 1000 if seconds >= _LEAST_MS else seconds
    memory = row.amount("memory_limit_bytes", 2**-20)
    return {
        "time_limit_ms": Fields({"time_limit": seconds}).amount("time_limit", 1000),
        "memory_limit_mib": memory or row.amount("memory_limit"),
    }


def judged_programs(row: Fields, name: str, label: str) -> list[dict[str, str]]:
    """Return the programs in a field: parallel lists, or a list of objects."""
    value = row.row.get(name)
    if isinstance(value, dict):
        held = row.within(name)
        languages, sources = held.row.get("language"), held.texts("solution")
        if not isinstance(languages, list) or len(languages) != len(sources):
            raise RowError(f'"{name}" has not one language for each program; give as many of each')
        pairs = list(zip(languages, sources, strict=True))
    else:
        pairs = [
            (each.row.get("language"), each.text_if_any("code", "solution"))
            for each in row.objects(name)
        ]
    return [
        {"source": source, "language": _language(language), "label": label}
        for language, source in pairs
        if source
    ]


def _language(value: object) -> str:
    if isinstance(value, str):
        return _LANGUAGE_NAMES.get(value.lower(), one_line(value))
    return _LANGUAGES.get(value, "unknown") if isinstance(value, int) else "unknown"


def _checker(row: Fields) -> TaskFields:
    source = row.text_if_any("checker")
    return {"checker": {"source": source}} if source.strip() else dict(_TOLERANT)


def _named(number: float | None, names: tuple[str, ...]) -> str:
    index = int(number or 0)
    return names[index] if 0 <= index < len(names) else str(index)


def _difficulty(number: float | None) -> str:
    """Return the name of a difficulty; from 7 on they are the letters of Codeforces."""
    letter = int(number or 0) - len(_DIFFICULTIES)
    return chr(ord("A") + letter) if 0 <= letter < 22 else _named(number, _DIFFICULTIES)
