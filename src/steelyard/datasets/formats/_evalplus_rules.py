"""Facts about single tasks of EvalPlus 0.3.1 that its rows leave to its package.

JSON has no tuples, sets or complex numbers; and some tasks accept more than the reference's value.
"""

from collections.abc import Mapping

__all__ = ["ALIKE", "CONVERSIONS", "RULES", "TOO_LARGE"]

_BY_CONVERSION: dict[str, tuple[int, ...]] = {
    "[tuple(each) for each in call]": (
        2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424, 429, 470, 560, 579, 596, 616, 630,
        726, 740, 744, 809,
    ),
    "[[tuple(item) for item in each] for each in call]": (
        63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780,
    ),
    "[[tuple(item) for item in call[0]], call[1]]": (75, 413, 444, 753),
    "[call[0], tuple(call[1])]": (106, 750),
    "[[set(item) if item and isinstance(item, list) else {} for item in call[0]]]": (115,),
    "[float(call[0]), complex(call[1])]": (124,),
    "[tuple(call[0]), *call[1:]]": (250, 307, 405, 446, 617, 720, 763, 808),
    "[tuple(tuple(item) for item in each) for each in call]": (259, 401, 445),
    "[tuple(tuple(item) if isinstance(item, list) else item for item in call[0])]": (278,),
    "[{key: tuple(value) for key, value in call[0].items()}, *call[1:]]": (722,),
    "[complex(call[0])]": (252,),
    "(turn := lambda it: tuple(map(turn, it)) if isinstance(it, list) else it)(call)": (
        580, 615, 791,
    ),
}  # fmt: skip
CONVERSIONS: Mapping[str, str] = {
    f"Mbpp/{number}": text for text, numbers in _BY_CONVERSION.items() for number in numbers
}
"""By task: an expression that makes the arguments of the list `call` in JSON."""

ALIKE = "_is_like(actual, expected)"
_AS_SETS = f"set(actual) == set(expected) or {ALIKE}"
_NOT_NONE = "_is_found(actual) == _is_found(expected)"
RULES: Mapping[str, str] = {
    "are_equivalent": "True",
    "sum_div": f"actual == 0 or {ALIKE}",
    "surface_Area": (
        "abs(actual - round(call[0] ** 2 + 2 * call[0] * math.hypot(call[0] / 2, call[1])))"
        f" <= _tolerance or {ALIKE}"
    ),
    "digit_distance_nums": (
        "actual == sum(abs(int(a) - int(b)) for a, b in zip(*("
        f"str(each).zfill(max(len(str(one)) for one in call)) for each in call))) or {ALIKE}"
    ),
    "find_zero": (
        "abs(sum(factor * math.pow(actual, power) for power, factor in enumerate(call[0])))"
        " <= _tolerance"
    ),
    **dict.fromkeys(
        ("similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly",
         "larg_nnum", "intersection_array", "find_dissimilar", "Diff"),
        _AS_SETS,
    ),
    **dict.fromkeys(("check_str", "text_match_three", "text_starta_endb"), _NOT_NONE),
}  # fmt: skip
"""By function: the condition under which `actual` is right; of others it is `ALIKE`."""

TOO_LARGE: Mapping[str, list[object]] = {
    "Mbpp/255": [["Dog", "Cat", "CatBird", "Bird", "Fish"], 77],
}
"""By task: an input that is left out. Its answer is a list of 128 million words, over 1 GiB as
text, and answers pass from the candidate's process to that of the tests."""
