"""Values cross between processes as they are, and nothing of a candidate's classes runs."""

import collections
import enum
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np  # imported always: classes are asked more questions where it is
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.schemas import values
from steelyard.schemas.values import MAX_DEPTH, NotPlainError, UnreadableError, decode, encode

HUGE = 10**5000
"""It has more digits than Python writes in base 10."""

# Two halves of a pair side by side become one character, as in all JSON.
texts = st.text(st.characters(), max_size=5).filter(
    lambda text: text == text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
hashable_atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**63, -(2**63), 2**63 - 1, 2**1000]),
    st.floats(),
    st.complex_numbers(),
    texts,
    st.binary(max_size=5),
)
hashables = st.recursive(
    hashable_atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3)
    ),
    max_leaves=6,
)
plain = st.recursive(
    st.one_of(hashables, st.binary(max_size=5).map(bytearray)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(hashables, max_size=4),
        st.dictionaries(hashables, inner, max_size=4),
    ),
    max_leaves=20,
)


def same(one: Any, two: Any) -> bool:
    """Equal with equal kinds throughout, NaN to NaN, and each zero to its own sign."""
    if type(one) is not type(two):
        return False
    if isinstance(one, float):
        return math.copysign(1, one) == math.copysign(1, two) and (one == two or one != one)
    if isinstance(one, complex):
        return repr(one) == repr(two)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return same(list(one.items()), list(two.items()))
    if isinstance(one, set | frozenset):
        left = list(two)
        for item in one:
            found = next((at for at, other in enumerate(left) if same(item, other)), None)
            if found is None:
                return False
            del left[found]
        return not left
    return bool(one == two)


class TestRoundTrip:
    @given(plain)
    @example({math.nan: math.inf, -0.0: -math.inf, (): {}})
    @example({None: 1, True: 2, 2: 3, "$": 4, b"v": 5, (1,): 6, frozenset({1}): 7, 1j: 8})
    @example({"$": "tuple", "v": [1]})
    @example(["\ud800", "\udfff\ud800", "\0\x1f\u2028", "𐀀"])
    @example(complex(-0.0, math.inf))
    def test_what_comes_out_is_what_went_in(self, value: object) -> None:
        text = encode(value)
        assert text.isascii()
        assert "\n" not in text
        assert same(without_nan_signs(decode(text)), without_nan_signs(value))
        assert same(decode(text.encode()), decode(text))

    @given(st.integers(), st.floats())
    def test_the_kind_of_a_number_stays(self, whole: int, real: float) -> None:
        assert type(decode(encode(whole))) is int
        assert type(decode(encode(real))) is float

    @given(st.lists(st.integers(-3, 3), min_size=1))
    def test_so_do_integers_that_python_does_not_write_in_base_10(self, factors: list[int]) -> None:
        value = [factor * HUGE for factor in factors]
        assert decode(encode(value)) == value
        assert decode(encode({value[0]: set(value)})) == {value[0]: set(value)}

    @pytest.mark.parametrize("digits", [0, 640, 4300, 100_000])
    def test_no_digit_limit_changes_the_text_of_a_long_integer(self, digits: int) -> None:
        before = sys.get_int_max_str_digits()
        expected = encode([HUGE])
        try:
            sys.set_int_max_str_digits(digits)
            assert encode([HUGE]) == expected
        finally:
            sys.set_int_max_str_digits(before)
        assert decode(expected) == [HUGE]

    def test_what_is_within_the_depth_crosses_and_what_is_not_does_not(self) -> None:
        value: object = 1
        for _ in range(MAX_DEPTH):
            value = [value]
        assert decode(encode(value)) == value
        for make in (list, tuple):
            with pytest.raises(NotPlainError, match=f"a value nested deeper than {MAX_DEPTH}"):
                encode(make([value]))
        with pytest.raises(NotPlainError, match="nested deeper"):
            encode({1: value})

    def test_a_circle_is_too_deep(self) -> None:
        items: list[object] = []
        items.append(items)
        table: dict[str, object] = {}
        table["me"] = (table,)
        for value in (items, table):
            with pytest.raises(NotPlainError, match="nested deeper"):
                encode(value)


def without_nan_signs(value: Any) -> Any:
    """Text has no sign for NaN."""
    if isinstance(value, float) and value != value:
        return math.nan
    if isinstance(value, complex):
        return complex(without_nan_signs(value.real), without_nan_signs(value.imag))
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)([without_nan_signs(item) for item in value])
    if isinstance(value, dict):
        return {without_nan_signs(key): without_nan_signs(item) for key, item in value.items()}
    return value


def lie(*_: object, **__: object) -> Any:
    raise AssertionError("a method of the value's own class was run")


LIES = dict.fromkeys(
    (
        "__iter__",
        "__eq__",
        "__ne__",
        "__repr__",
        "__str__",
        "__len__",
        "__getitem__",
        "__int__",
        "__float__",
        "__index__",
        "__bool__",
        "__bytes__",
        "__reduce__",
        "__getattribute__",
        "__complex__",
        "__contains__",
        "__reversed__",
        "__format__",
        "items",
        "keys",
        "values",
        "decode",
        "is_integer",
        "tolist",
        "item",
    ),
    lie,
)


class Meta(type):
    __mro__ = (int, object)  # type: ignore[assignment]
    __name__ = property(lie)  # type: ignore[assignment]
    __instancecheck__ = __subclasscheck__ = __getattribute__ = lie  # type: ignore[assignment]

    def __eq__(cls, other: object) -> bool:
        return True

    __hash__ = type.__hash__


def lying(base: type, meta: type = type) -> Any:
    return meta("Liar", (base,), {**LIES, "__hash__": base.__hash__, "__class__": property(lie)})


class TestLies:
    @pytest.mark.parametrize("meta", [type, Meta])
    @pytest.mark.parametrize(
        ("base", "value"),
        [
            (int, 7),
            (int, 2**100),
            (float, 1.5),
            (float, math.inf),
            (str, "text"),
            (list, [1, 2]),
            (tuple, (1, 2)),
            (dict, {"a": 1}),
            (set, {1}),
            (frozenset, frozenset({1})),
            (bytes, b"ab"),
            (bytearray, bytearray(b"ab")),
            (complex, 1 + 2j),
        ],
    )
    def test_a_subclass_crosses_as_what_it_is_underneath(
        self, base: type, value: object, meta: type
    ) -> None:
        kind = lying(base, meta)
        liar = type.__call__(kind, value)
        assert same(decode(encode(liar)), value)
        assert same(decode(encode([liar])), [value])

    def test_the_usual_subclasses_cross_too(self) -> None:
        colour = enum.IntEnum("colour", "RED")
        point = collections.namedtuple("point", "x y")  # noqa: PYI024
        counted = collections.Counter("aab")
        filled = collections.defaultdict(list, a=[1])
        value = [colour(1), point(1, 2), counted, filled, collections.OrderedDict(b=1)]
        assert same(decode(encode(value)), [1, (1, 2), {"a": 2, "b": 1}, {"a": [1]}, {"b": 1}])

    @pytest.mark.parametrize("attribute", ["__class__", "__dict__"])
    def test_a_class_that_claims_to_be_another_is_none(self, attribute: str) -> None:
        kind = type("Claims", (), {attribute: property(lambda self: int)})
        with pytest.raises(NotPlainError, match="a Claims, which"):
            encode(kind())

    def test_a_metaclass_that_claims_bases_has_none(self) -> None:
        liar = type.__call__(Meta("Liar", (), {}))
        with pytest.raises(NotPlainError, match="a Liar, which"):
            encode(liar)


class TestNotPlain:
    @pytest.mark.parametrize(
        ("value", "said"),
        [
            (object(), "an object"),
            ((item for item in ()), "a generator"),
            (range(3), "a range"),
            (iter([]), "a list_iterator"),
            ({}.keys(), "a dict_keys"),
            (lambda: 0, "a function"),
            (int, "a type"),
            (collections.deque(), "a deque"),
            (ValueError("no"), "a ValueError"),
            (NotImplemented, "a NotImplementedType"),
            (..., "an ellipsis"),
            (memoryview(b"ab"), "a memoryview"),
            (type("É" * 1000, (), {})(), "a " + "É" * 100),
        ],
    )
    @pytest.mark.parametrize(
        "around",
        [
            lambda value: value,
            lambda value: [1, value],
            lambda value: (value,),
            lambda value: {"a": [value]},
            lambda value: [math.nan, value],
        ],
    )
    def test_it_is_called_by_its_kind(
        self, value: object, said: str, around: Callable[[object], object]
    ) -> None:
        with pytest.raises(NotPlainError) as raised:
            encode(around(value))
        assert str(raised.value) == f"{said}, which is not plain data"

    def test_a_key_or_an_item_of_a_set_counts_too(self) -> None:
        for value in ({object(): 1}, {object()}, frozenset({(1, object())})):
            with pytest.raises(NotPlainError, match="an object"):
                encode(value)


class TestNumpy:
    def test_numbers_and_arrays_cross_as_plain_data(self) -> None:
        for value, plain_value in [
            (np.int64(7), 7),
            (np.uint64(2**64 - 1), 2**64 - 1),
            (np.float32(0.5), 0.5),
            (np.float64("nan"), math.nan),
            (np.bool_(True), True),
            (np.complex64(1 + 2j), 1 + 2j),
            (np.str_("a"), "a"),
            (np.bytes_(b"a"), b"a"),
            (np.arange(6).reshape(2, 3), [[0, 1, 2], [3, 4, 5]]),
            (np.array(5), 5),
            (np.array([math.inf]), [math.inf]),
            ([np.int8(1)], [1]),
            ({np.int8(1): np.zeros(1)}, {1: [0.0]}),
        ]:
            assert same(decode(encode(value)), plain_value), repr(value)

    def test_an_array_of_what_is_not_plain_is_not(self) -> None:
        with pytest.raises(NotPlainError, match="an object"):
            encode(np.array([object()]))

    def test_a_class_that_says_it_is_of_numpy_is_not(self) -> None:
        with pytest.raises(NotPlainError, match="a ndarray"):
            encode(type("ndarray", (), {"__module__": "numpy", "tolist": lie, "item": lie})())


class TestUnreadable:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            " ",
            " 1",
            "1 ",
            "1 2",
            "[1",
            "[1,]",
            '"',
            "nul",
            "-",
            "NaN",
            "Infinity",
            "-Infinity",
            "[NaN]",
            "[" * 100_000,
            "{",
            "{}",
            '{"a": 1}',
            '{"$": "tuple"}',
            '{"v": 1}',
            '{"$": "tuple", "v": 1}',
            '{"$": "tuple", "v": [], "w": 1}',
            '{"$": [], "v": []}',
            '{"$": "object", "v": []}',
            '{"$": "__class__", "v": []}',
            '{"$": "int", "v": 5}',
            '{"$": "int", "v": "0xg"}',
            '{"$": "float", "v": "x"}',
            '{"$": "float", "v": []}',
            '{"$": "set", "v": [[1]]}',
            '{"$": "dict", "v": [[[1], 2]]}',
            '{"$": "dict", "v": [1]}',
            '{"$": "bytes", "v": "\\u0100"}',
            '{"$": "bytes", "v": 5}',
            '{"$": "complex", "v": 1}',
            '{"$": "complex", "v": [1, 2, 3]}',
            '{"$": "complex", "v": ["1", 2]}',
            '{"$": "bytearray", "v": null}',
            "1" * 5000,
            b"\xff",
            b"",
            b'"\xed\xa0\x80"',
        ],
    )
    def test_a_text_that_stands_for_no_value_is_refused(self, text: str | bytes) -> None:
        with pytest.raises(UnreadableError) as raised:
            decode(text)
        assert len(str(raised.value)) < 250

    @given(st.one_of(st.text(), st.binary(), st.from_regex(r'[\[\]{}"$v:,0-9a-z ]{0,40}')))
    def test_no_text_does_anything_else(self, text: str | bytes) -> None:
        with suppress(UnreadableError):
            decode(text)

    def test_without_the_c_encoder_the_text_is_the_same(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        value = [1, 2.5, "é\ud800", None, True, {"a": (math.inf, HUGE, {1, 2})}, b"\xff"]
        fast = encode(value)
        monkeypatch.setattr(values, "_chunks", None)
        assert encode(value) == fast
