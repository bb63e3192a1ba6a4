"""Rewrite the notation of statements as Python's: `1 ≤ |s| ≤ 2·10^5` is `1 <= len(s) <= 2*10**5`.

1. Quoted texts are put aside, and signs of Unicode and TeX become those of Python.
2. `a_1 < a_2 < ... < a_n`, `a_1, ..., a_n` and `a_i` become items at a position `i`.
3. Bounds of positions at the end, such as `(1 ≤ i ≤ n)` or `for all i`, are left out: a position
   that is not defined runs over all items.
4. Powers of constants, `|x|`, `=`, `;` and digits in groups are read as mathematics has them.

What has a meaning in Python keeps it, except for `10^5`. What has several meanings stays as it is.
"""

import re
from collections.abc import Callable, Container
from itertools import pairwise
from unicodedata import normalize

SIZE = "_size"
"""The function that `|x|` calls: the absolute value of a number, the length of what has items."""

_SIGNS = {
    "<=": r"≤ ⩽ ≦ \leqslant \leq \le",
    ">=": r"≥ ⩾ ≧ \geqslant \geq \ge",
    "<": r"\lt",
    ">": r"\gt",
    "!=": r"≠ \neq \ne",
    "-": "− –",  # noqa: RUF001
    "*": r"· ⋅ × \cdot \times",  # noqa: RUF001
    "%": r"\bmod",
    "|": r"\lvert \rvert \vert \mid",
    " in ": r"∈ \in",
    " not in ": r"∉ \notin",
    " and ": r"\land",
    " or ": r"\lor",
    " sum ": r"∑ \sum",
    " max": r"\max",
    " min": r"\min",
    " gcd": r"\gcd",
    "...": r"… ⋯ \ldots \cdots \dots",
    " ": r"$ ~ \, \; \: \! \quad \left \right \limits",
    "{": r"\{",
    "}": r"\}",
    "_i": "ᵢ",
    "_j": "ⱼ",
}
_PLAIN = {each: sign for sign, notations in _SIGNS.items() for each in notations.split()}
_NOTATION = re.compile(r"(?!(?:∈|\\in)\s*\[)(?:\\[A-Za-z]+|\\.|[^\x00-\x7f]|[$~])")
_QUOTED = r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\""""
_NAMES = r"[a-z](?:\s*,\s*[a-z])*"
_BOUND = (
    r"[01]\s*<=\s*[a-z](?:\s*[<,]\s*[a-z])*\s*<=?\s*[A-Za-z|][\w|.]*(?:\s*-\s*1)?"
    r"(?:\s*,\s*(?=[01])|(?=\s*\)?$))"
)


def plain_notation(text: str, parameters: Container[str]) -> str:
    """Return a constraint of the same meaning in Python's notation.

    Args:
        text: The constraint as it was written.
        parameters: The names of the parameters.
    """
    quoted, loops = re.findall(_QUOTED, text), list[re.Match[str]]()
    text = re.sub(_QUOTED, '"', text).replace("\\ ", " ")
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda high: f"^{normalize('NFKC', high[0])}", text)
    text = _NOTATION.sub(lambda found: _PLAIN.get(found[0], found[0]), text)
    text = re.sub(r"_\{(\w+)\}", r"_\1", " ".join(text.split()).rstrip(" ."))

    def all_items(found: re.Match[str]) -> str:
        name, sign = found.groups()
        known = {",": f"{name}[i]", "+": f"sum({name})"}
        items = known.get(sign, f"{name}[i] {sign} {name}[i + 1]")
        return items if name in parameters else found[0]

    def positions(found: re.Match[str]) -> str:
        names = re.split(r"\s*(?:<=?|,)\s*", found[1] or found[2])
        inner = [one for one, other in pairwise(names) if not {one, other} & {"0", "1"}]
        return found[0] if any(each in parameters for each in inner) else ""

    def item(found: re.Match[str]) -> str:
        name, at = found[1], found[2] or found[3] or ""
        used = re.findall(r"[A-Za-z]\w*", at)
        is_item = used and name in parameters and found[0] not in parameters
        if not is_item or any(len(each) > 1 or each in parameters for each in used):
            return found[0]
        return f"{name}[{at.replace(',', '][')}]"

    def outside(found: re.Match[str]) -> str:
        before = found.string[: found.start()]
        if sum(map(before.count, "([{")) > sum(map(before.count, ")]}")):
            return found[0]
        if found[0] == "for":
            loops.append(found)
            return found[0]
        if ";" in found[0]:  # `or` would take what follows
            return ";" if re.search(r"\b(or|if)\b", found.string) else " and "
        return "==" if found[0] == "=" else found[0].replace(",", "")

    steps: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
        # a_1 < a_2 < ... < a_n; a_1, ..., a_n; a_1 + ... + a_n
        (r"\b([A-Za-z]+)_?1\s*([,+<>]=?)(?:\s*\1_?2\s*\2)?\s*\.\.\.\s*\2\s*\1_?\w+", all_items),
        # (1 ≤ i ≤ n) and for all i, at the end
        (
            (
                rf"(?:(?:(?<=[\d)\]}}|])\s*|(?<=\w)\s+)\(((?:{_BOUND})+)\)"
                rf"|\s*,?\s+for (?:all|each|every)(?: valid)? ((?:{_BOUND})+|{_NAMES}))\s*$"
            ),
            positions,
        ),
        (r"\bfor (?:all|each|every) (?=\w+(?:\s*,\s*\w+)* in )", "for "),
        # sum a_i, sum_{i=1}^{n} a_i
        (
            (
                r"\bsum\s*(?:_(?:\{[^{}]*\}|\w))?\s*(?:\^(?:\{[^{}]*\}|\w+))?\s+"
                r"([A-Za-z][A-Za-z0-9]*)(?:_[a-z])?\b(?!\s*\()"
            ),
            r"sum(\1)",
        ),
        (r"\b([A-Za-z][A-Za-z0-9]*)_(?:\{([^{}]*)\}|([a-z])\b)", item),
        (
            r"\^\s*\{([^{}]*)\}|(?<![\w.)\]])(\d+)\s*\^\s*(?=\d)",
            lambda found: f"{found[2]}**" if found[2] else f"**({found[1]})",
        ),
        (r"(?<![\w.])\d{1,3}(?: \d{3})+(?!\w)", lambda found: found[0].replace(" ", "")),
        (
            r"(^|[-<>=!+*/%,(\[{&]|\b(?:and|or|not|in|if|else)\b)(\s*)\|([^|]*)\|",
            rf"\1\2{SIZE}(\3)",
        ),
        (r"\b(?:math|itertools)\.(?=\w+\()", ""),
        (
            (
                r"(?<![\w.])\d{1,3}(?:,\d{3})+(?![\w.]|\s*[<>=!])"
                r"|(?<![<>=!:+\-*/%&|^])=(?!=)|\s*;\s*|\bfor\b"
            ),
            outside,
        ),
    )
    for pattern, new in steps:
        text = re.sub(pattern, new, text)
    texts = iter(quoted)
    text = re.sub('"', lambda _: next(texts, '"'), text)
    return f"all({text})" if loops else text
