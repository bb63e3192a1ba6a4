"""Show untrusted texts and figures in one line."""

import math

from steelyard._printable import printable


def visible(text: str) -> str:
    """Return untrusted text on one line, without terminal control characters."""
    return printable(text.replace("\n", " ").replace("\t", " ").replace("\r", " "))


def visible_lines(text: str) -> str:
    """Return the same for a text of several lines, such as a program: its lines and tabs stay."""
    return "\n".join(printable(line.expandtabs(4)) for line in text.splitlines())


_LONGEST = 1_000


def cut(text: str, most: int = _LONGEST) -> str:
    """Return untrusted text on one line of at most `most` characters, from its start."""
    line = visible(text[: most + 1])
    return line if len(line) <= most else line[: most - 3] + "..."


def clause(text: str, most: int = 100) -> str:
    """Return untrusted text on one line of at most `most` characters: its first clauses, or words.

    The rest has another place: as evidence, with `-v`, or in the report.
    """
    line = visible(text)
    if len(line) <= most:
        return line
    for end, rest in (("; ", ""), (" ", "...")):
        cut = line.rfind(end, most // 3, most - len(rest) + 1)
        if cut > 0:
            return line[:cut] + rest
    return line[: most - 3] + "..."


def count(value: float) -> str:
    """Return a size in full: `2,000,000`."""
    return f"{value:,.0f}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 task` or `12 tasks`."""
    return f"{count(number)} {noun}{'' if number == 1 else 's'}"


def more(number: int, noun: str) -> str:
    """Return `and 3 more tasks`; empty if there are none."""
    return f"and {counted(number, f'more {noun}')}" if number > 0 else ""


def percent(share: float) -> str:
    """Return `62 %`; never `100 %` of what is only nearly all."""
    if 0.995 <= share < 1:
        return "over 99 %"
    if 0 < share < 0.005:
        return "under 1 %"
    return f"{share:.0%}".replace("%", " %")


def milliseconds(ms: float) -> str:
    """Return `0.41 ms`, `412 ms`, `1.25 s`, `2.1 min`, `3.4 h`."""
    for limit, unit, factor in ((1e3, "ms", 1.0), (6e4, "s", 1e3), (3.6e6, "min", 6e4)):
        if abs(ms) < limit * 0.9995:
            return f"{three_digits(ms / factor)} {unit}"
    return f"{three_digits(ms / 3.6e6)} h"


def duration(ns: float) -> str:
    """Return `412 ns`, `3.4 µs`, `12 ms`, `1.25 s`."""
    if not math.isfinite(ns):
        return "unknown"
    if ns == 0:
        return "0 ns"
    if abs(ns) < 999.5:
        return f"{three_digits(ns)} ns"
    if abs(ns) < 999.5e3:
        return f"{three_digits(ns / 1e3)} µs"
    return milliseconds(ns / 1e6)


def mebibytes(mib: float) -> str:
    """Return `3.4 MiB`, `412 MiB`, `1.2 GiB`."""
    return f"{three_digits(mib)} MiB" if mib < 1024 else f"{three_digits(mib / 1024)} GiB"


def three_digits(value: float) -> str:
    """Return at most three significant digits, without an exponent if possible."""
    if value and not 1e-3 <= abs(value) < 1e7:
        return f"{value:.2g}"
    value = float(f"{value:.3g}") if abs(value) < 1e3 else value
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text and abs(value) >= 1 else text
