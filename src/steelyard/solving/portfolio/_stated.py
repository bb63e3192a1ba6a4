"""Compare the bounds of a plan with the numbers in the problem's statement."""

import re
from collections.abc import Mapping

from steelyard.rendering import count

_MOST_CHARS = 200_000
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_DIGITS = r"\d{1,3}(?:[,  ' ]\d{3})+(?!\d)|\d+"
_POWER = r"10\s{0,2}(?:\^|\*\*)\s{0,2}(?P<exponent>\d{1,2})"
_NUMBER = re.compile(
    rf"(?:(?P<factor>{_DIGITS})\s{{0,2}}[*·\u00d7]\s{{0,2}})?{_POWER}"
    rf"|(?P<mantissa>\d+)e(?P<e>\d{{1,2}})\b"
    rf"|(?P<digits>{_DIGITS})(?:\s{{0,2}}(?P<word>thousand|million|billion)\b)?",
    re.IGNORECASE,
)
_WORDS = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_AT_MOST = (
    r"(?:≤|<=|<|⩽|(?:is |are )?at most|(?:does |do )?not exceed|not exceeding|up to"
    r"|(?:is |are )?not? (?:more|greater|larger) than)"
)
_UNIT = re.compile(
    r"\s{0,2}(?:ms|s|seconds?|milliseconds?|mb|mib|kb|kib|gb|gib|megabytes?|bytes?|%)\b",
    re.IGNORECASE,
)
_SUM = re.compile(r"(?:\bsum\b|∑|\btotal\b)[^.\n]{0,40}$", re.IGNORECASE)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_NEAR = 60
_STATED_FROM = 100
"""Statements without a number this large state no bounds."""


def bound_fault(prompt: str, bounds: Mapping[str, int], main: int | None) -> str | None:
    """Return how the bounds differ from the statement's; None if nothing contradicts them.

    A bound must equal the statement's upper bound for its name. If the statement has none for the
    main one, it must be one of the statement's numbers.

    Args:
        prompt: The statement.
        bounds: The largest sizes, by name.
        main: The largest main size.
    """
    text = _plain(prompt)
    for name, value in bounds.items():
        stated = _upper_bounds(text, name)
        if stated and value not in stated and value + 1 not in stated:
            most = max(stated)
            return f"{name} = {value:,}, and the statement allows at most {most:,}; use its bound"
        if stated and value < max(stated) - 1:
            return (
                f"{name} = {value:,}, and the statement allows up to {max(stated):,}; "
                "use its largest bound"
            )
    named = any(_upper_bounds(text, name) for name, value in bounds.items() if value == main)
    if main is None or named:
        return None
    numbers = {value for value, _ in _numbers(text)}
    if max(numbers, default=0) < _STATED_FROM or {main, main + 1} & numbers:
        return None
    return (
        f"the main size is {count(main)}, which is not a number of the statement; "
        "use the statement's bound"
    )


def _plain(prompt: str) -> str:
    """Return the statement without samples, in one notation."""
    text = _CODE.sub(" ", prompt[:_MOST_CHARS])
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    text = re.sub(r"<sup>(\d+)</sup>", r"^\1", text)
    text = re.sub(r"\\(?:leqslant|leq|le)(?![a-z])|&le;", "≤", text)
    text = re.sub(r"\\(?:cdot|times)(?![a-z])", "·", text)
    text = re.sub(r"\\[,;!]|\{,\}|[$`*_](?=[A-Za-z\s])|\\(?:text|mathrm)\b", "", text)
    return text.replace("{", " ").replace("}", " ").replace("$", " ")


def _upper_bounds(text: str, name: str) -> set[int]:
    """Return the upper bounds for a name, apart from those of sums."""
    found = set()
    others = r"(?:\s{0,3},\s{0,3}\w{1,30}){0,5}"
    pattern = rf"(?<!\w){re.escape(name)}{others}\s{{0,3}}{_AT_MOST}\s{{0,3}}"
    for match in re.finditer(pattern, text):
        number = _NUMBER.match(text, match.end())
        if number is not None and not _SUM.search(
            text[max(0, match.start() - _NEAR) : match.start()]
        ):
            found.add(_value(number))
    return found


def _numbers(text: str) -> list[tuple[int, int]]:
    """Return all numbers with their positions, apart from times and amounts of memory."""
    return [
        (_value(match), match.start())
        for match in _NUMBER.finditer(text)
        if not _UNIT.match(text, match.end())
    ]


def _value(match: re.Match[str]) -> int:
    if match["exponent"] or match["e"]:
        zeros = int(match["exponent"] or match["e"])
        return _whole(match["factor"] or match["mantissa"] or "1") * int("1" + "0" * zeros)
    return _whole(match["digits"]) * _WORDS.get((match["word"] or "").lower(), 1)


def _whole(digits: str) -> int:
    return int(re.sub(r"\D", "", digits)[:20])
