"""The notation of statements is rewritten as Python's, and nothing else is."""

import json
import random
import re
import tomllib
from pathlib import Path

import pytest

from steelyard.constraints import (
    Validator,
    bounds_of,
    clash_of,
    doubts_of,
    parse_constraint,
    plain_notation,
    prose_of,
)
from steelyard.errors import SpecificationError
from steelyard.values import parse_type

CORPUS = Path(__file__).parents[2] / "corpus/constraints"
TYPES = {
    "n": "int",
    "k": "int",
    "x": "float",
    "a": "list[int]",
    "b": "list[int]",
    "s": "str",
    "A": "list[list[int]]",
    "S": "set[int]",
    "d": "dict[int, int]",
    "u": "list[int | str]",
}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1 ≤ n ≤ 10⁵", "1 <= n <= 10**5"),
        ("n ≤ 10¹⁸.", "n <= 10**18"),
        (r"$1 \le n \lt 2^{31}$", "1 <= n < 2**(31)"),
        (r"n \leqslant 3 \cdot 10^{5}", "n <= 3 * 10**(5)"),
        (r"n \neq k \land n \in \{1, 2\}", "n != k and n in {1, 2}"),
        ("n ∉ {1, 2}", "n not in {1, 2}"),
        ("n ≤ 1 000 000", "n <= 1000000"),
        ("n ≤ 1,000,000, k ≠ 5", "n <= 1000000, k != 5"),
        ("max(n, 1) = 5; k = 3", "max(n, 1) == 5 and k == 3"),
        ("sorted(a, reverse=True) = a", "sorted(a, reverse=True) == a"),
        ("a_i ≤ a_{i+1}", "a[i] <= a[i+1]"),
        ("aᵢ = bᵢ", "a[i] == b[i]"),
        ("A_{i,j} ≤ 9 (1 ≤ i ≤ n, 1 ≤ j ≤ k)", "A[i][j] <= 9"),
        ("a_i ≤ 9 for all 1 ≤ i ≤ |a|", "a[i] <= 9"),
        ("a_i ≤ 9, for each valid i", "a[i] <= 9"),
        ("a_i ≠ a_j (1 ≤ i < j ≤ n)", "a[i] != a[j]"),
        ("a_i ≠ a_{i+1} for each 1 ≤ i < n", "a[i] != a[i+1]"),
        ("0 ≤ a_1 ≤ a_2 ≤ … ≤ a_n", "0 <= a[i] <= a[i + 1]"),
        ("1 ≤ a1, a2, ..., an ≤ 9", "1 <= a[i] <= 9"),
        ("a_1 + a_2 + ... + a_n = k", "sum(a) == k"),
        (r"\sum_{i=1}^{n} a_i \leq 9", "sum(a) <= 9"),
        ("|a_i - b_i| ≤ 1", "_size(a[i] - b[i]) <= 1"),
        ("|s| = |a|", "_size(s) == _size(a)"),
        ("v ≥ 0 for all v in S", "all(v >= 0 for v in S)"),
        ("s_i ∈ {'≤', '|', 'a_i'}", "s[i] in {'≤', '|', 'a_i'}"),
    ],
)
def test_a_notation_is_rewritten(text: str, plain: str) -> None:
    assert plain_notation(text, TYPES) == plain
    parse_constraint(text, {name: parse_type(kind) for name, kind in TYPES.items()})


@pytest.mark.parametrize(
    "text",
    [
        "n^2 <= 9",  # a power, or the exclusive or
        "2^k <= n",
        "x ∈ [0, 9]",  # an interval, or two values
        "a_k ≤ 9",  # counted from 0, or from 1
        "a_1 ≤ 9",
        "a_i ≤ 9 (2 ≤ i ≤ n)",  # not all items
        "a_i ≤ 9 (1 ≤ i ≤ 3)",
        "a_i ≤ 9 for all i > 2",
        "n ≤ 9 (1 ≤ k ≤ n)",  # k is a parameter
        "n ≤ 9 or n = 20; k ≤ 3",
        "n ≤ 1,000 ≤ k",  # a number, or two conditions
        "n ≤ 9, k ≤ 3",
        "1 ≤ n, 1 ≤ k",
        "m ≤ 9",
        "m = |a|",
        "S_i ≤ 9",
        "d['1'] ≤ 9",
    ],
)
def test_what_has_several_meanings_is_refused(text: str) -> None:
    with pytest.raises(SpecificationError, match="cannot be read"):
        parse_constraint(text, {name: parse_type(kind) for name, kind in TYPES.items()})


def test_python_stays_as_it_is() -> None:
    for path in CORPUS.glob("*.jsonl"):
        for line in map(json.loads, path.read_text().splitlines()):
            assert plain_notation(line["text"], line["parameters"]) == line["text"]


PIECES = [
    *"|^_{}()[]$,;=<>.~'\"\\ \n",
    "10",
    "000",
    "≤",
    "≠",
    "∈",
    "∑",
    "…",
    "⁵",
    "ᵢ",
    "\\le",
    "\\sum",
]
PIECES += [
    "..",
    "a",
    "s",
    "S",
    "A",
    "d",
    "u",
    "n",
    "i",
    "j",
    "_i",
    "_1",
    "_{i,j}",
    "^{5}",
    ".length",
]
PIECES += [
    " for ",
    " in ",
    "for all ",
    " and ",
    " or ",
    "not ",
    "len(",
    "sum(",
    "max(",
    "all(",
    "1",
]
PIECES += ["min(", "range(", "isinstance(", "map(", "zip(", "sorted(", "**", "//", "%", "-", "None"]
PIECES += ["pairwise(", "lambda ", "if ", " else ", ":", "*", "is ", "True", "1e400", "0", "gcd("]


@pytest.mark.parametrize("seed", range(4))
def test_any_text_is_read_or_refused_in_one_line(seed: int) -> None:
    """Texts are forms with a few random changes, and random pieces."""
    dice = random.Random(seed)
    forms = [each["text"] for each in tomllib.loads((CORPUS / "forms.toml").read_text())["form"]]
    types = {name: parse_type(kind) for name, kind in TYPES.items()}
    names = re.compile("nums|words|grid|board|edges|left|right|banned|tokens|pairs|cost")
    read, errors = 0, list[str]()
    for number in range(500):
        text = dice.choice(forms) if number % 2 else "".join(dice.choices(PIECES, k=8))
        text = names.sub(dice.choice([*TYPES]), text)
        for _ in range(dice.randrange(4)):
            at = dice.randrange(len(text) + 1)
            text = text[:at] + dice.choice(PIECES) + text[at + dice.choice((0, 0, 1, 3)) :]
        try:
            constraint = parse_constraint(text, types)
        except SpecificationError as error:
            errors.append(str(error))
            continue
        read += 1
        validator = Validator(types, (constraint,))
        args = [3, 2, 0.5, [1, 2], [], "ab", [[1], []], [1, 5], {"1": 2}, [1, "a"]]
        assert prose_of(constraint)
        assert (
            validator.is_valid(args)
            == (validator.distance(args) == 0)
            == (validator.broken(args) == ())
        )
        clash_of(validator)
        doubts_of(validator)
        bounds_of(validator)
    assert read >= 10
    assert not any("\n" in each for each in errors)
