"""Match versions against semver ranges, as Piston's clients select a runtime.

Source: https://github.com/npm/node-semver#ranges, without prereleases.
"""

import itertools
import re

_PART = re.compile(
    r"(>=|<=|>|<|=|\^|~>?|)\s*v?(\*|x|X|\d{1,9})(?:\.(\*|x|X|\d{1,9}))?"
    r"(?:\.(\*|x|X|\d{1,9}))?(?:(?=[<>=^~])| \s*|\Z)"
)
_RANGE = re.compile(f"(?:{_PART.pattern})*")
_LONGEST = 200
_Version = tuple[int, int, int]


def version_numbers(text: str) -> str:
    """Return the last version such as `12.2.0` in a compiler's version line; else `0.0.0`."""
    found = re.findall(r"\d+(?:\.\d+)+", text)
    parts = (found[-1] if found else "0").split(".")
    return ".".join([*parts, "0", "0"][:3])


def version_in(version: str, selector: str) -> bool:
    """Return True if a version of three numbers fits a range; a malformed range fits none."""
    major, minor, patch = map(int, version.split("."))
    return len(selector) <= _LONGEST and any(
        _fits((major, minor, patch), each.strip()) for each in selector.split("||")
    )


def _fits(version: _Version, comparators: str) -> bool:
    if between := re.fullmatch(r"(\S+)\s+-\s+(\S+)", comparators):
        comparators = f">={between[1]} <={between[2]}"
    if not _RANGE.fullmatch(comparators):
        return False
    bounds = (_bounds(*part.groups("")) for part in _PART.finditer(comparators))
    return all(low <= version < high for low, high in bounds)


def _bounds(sign: str, *parts: str) -> tuple[_Version, _Version]:
    """Return the first version of a comparator, and the first beyond it."""
    given = [int(part) for part in itertools.takewhile(str.isdecimal, parts)]
    low = _padded(given)
    end = _padded([*given[:-1], given[-1] + 1]) if given else _INFINITE
    if sign == ">=":
        return low, _INFINITE
    if sign == ">":
        return end if given else _INFINITE, _INFINITE
    if sign == "<":
        return _ZERO, low
    if sign == "<=":
        return _ZERO, end
    if sign == "^" and given:
        first = next((i for i, number in enumerate(given) if number), len(given) - 1)
        return low, _padded([*given[:first], given[first] + 1])
    if sign.startswith("~") and len(given) > 1:
        return low, (given[0], given[1] + 1, 0)
    return low, end


def _padded(numbers: list[int]) -> _Version:
    major, minor, patch = [*numbers, 0, 0, 0][:3]
    return major, minor, patch


_ZERO: _Version = (0, 0, 0)
_INFINITE: _Version = (1 << 62, 0, 0)
