"""Read tests that are the rest of the program, in the program's own language."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from steelyard.errors import TestsError
from steelyard.judging.forms._form import Source, TaskFields
from steelyard.schemas import sha256_of

_CPP_ASSERT = "#undef NDEBUG\n#include <cassert>\n#include <cstdio>\n"


def _cpp(tests: str, line: str) -> str:
    """Restore `assert`, which the program may have defined, and print the line at the end."""
    before, main, rest = tests.partition("int main(")
    body, brace, after = rest.rpartition("}")
    return f'{before}{_CPP_ASSERT}{main}{body}    std::puts("{line}");\n{brace}{after}'


def _rust(tests: str, line: str) -> str:
    body, brace, after = tests.rpartition("}")
    return f'{body}    println!("{line}");\n{brace}{after}'


def _javascript(tests: str, line: str) -> str:
    return f'{tests}\nconsole.log("{line}");\n'


_LANGUAGES: Mapping[str, tuple[str, Callable[[str, str], str]]] = MappingProxyType(
    {"cpp": ("cpp", _cpp), "js": ("javascript", _javascript), "rs": ("rust", _rust)}
)
"""By the source's name of a language: ours, and how its tests print a line when they end."""
_REFUSED = MappingProxyType(
    {"java": "its rows need the package javatuples", "go_test.go": "its tests need `go test`"}
)


def read_program_rest(source: Source) -> TaskFields:
    """Return the fields for tests that follow the program's text, and end it well if they hold.

    A program that ends before its tests do has not passed: they print a line at their end, which
    no program knows.

    Raises:
        TestsError: for a language that cannot be judged; the message names it.
    """
    if not isinstance(source.tests, str):
        raise TestsError("tests are not text; write the rest of the program")
    if source.language not in _LANGUAGES:
        why = _REFUSED.get(source.language, f"use one of {', '.join(_LANGUAGES)}")
        raise TestsError(f"programs in {source.language[:50]!r} cannot be judged: {why}")
    language, ending_of = _LANGUAGES[source.language]
    line = f"passed {sha256_of(source.prompt + source.tests)[:16]}"
    return {
        "entry": "stdio",
        "language": language,
        "completion": "continuation",
        "ending": ending_of(source.tests, line),
        "tests": [{"input": "", "expected": line}],
        "match_mode": "contains",
    }
