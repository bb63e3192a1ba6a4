"""When two written numbers are the same, and what a number is."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.judging import checker_for
from steelyard.judging.checkers import NumberTolerance
from steelyard.judging.checkers.modes._numbers import NUMBER, _holds_number
from steelyard.schemas import TestCase

numerals = st.from_regex(
    rb"[-+]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})(e[-+]?[0-9]{1,3})?", fullmatch=True
)
tolerances = st.sampled_from([0.0, 1e-9, 1e-6, 0.1, 0.5, 1.0, 1e10, 1e300, 5e-324])


def accepted(
    mode: str,
    expected: bytes,
    output: bytes,
    *,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
) -> bool:
    checker = checker_for(mode, abs_tol=abs_tol, rel_tol=rel_tol)
    return checker.check(TestCase(name="one", expected=expected), output).passed


def exactly_near(expected: bytes, got: bytes, abs_tol: float, rel_tol: float) -> bool:
    wished, printed = Fraction(expected.decode()), Fraction(got.decode())
    allowed = max(Fraction(repr(abs_tol)), Fraction(repr(rel_tol)) * abs(wished))
    return abs(printed - wished) <= allowed


class TestTolerance:
    @given(numerals, numerals, tolerances, tolerances)
    @example(b"1", b"1.000001", 1e-6, 0.0)
    @example(b"1", b"1.0000010000000000000000001", 1e-6, 0.0)
    @example(b"9007199254740993", b"9007199254740992", 0.0, 0.0)
    @example(b"1e-400", b"0", 0.0, 0.0)
    @example(b"1e400", b"1e401", 0.0, 1e-6)
    @example(b"1e999", b"1.0000001e999", 0.0, 1e-6)
    @example(b"1e308", b"-1e308", 0.0, 2.0)
    @example(b"0", b"-0.0", 0.0, 0.0)
    def test_it_is_that_of_exact_arithmetic(
        self, expected: bytes, got: bytes, abs_tol: float, rel_tol: float
    ) -> None:
        near = NumberTolerance.of(abs_tol, rel_tol).accepts(expected, got)
        assert near == exactly_near(expected, got, abs_tol, rel_tol)

    @given(numerals, st.integers(-3, 3), st.sampled_from([0.1, 1e-6, 1e-9, 0.5]))
    def test_it_is_exact_at_the_very_edge(self, expected: bytes, step: int, tol: float) -> None:
        wished = Fraction(expected.decode())
        edge = wished + Fraction(repr(tol)) + Fraction(step, 10**60)
        places = 400  # enough for any numeral above
        scaled = edge * 10**places
        if scaled.denominator != 1:
            return
        digits = str(abs(scaled.numerator)).zfill(places + 1)
        sign = "-" if edge < 0 else ""
        got = f"{sign}{digits[:-places]}.{digits[-places:]}".encode()
        assert NumberTolerance.of(tol, 0.0).accepts(expected, got) == (step <= 0)

    def test_none_given_means_1e_6_and_equal_integers(self) -> None:
        near = NumberTolerance.of().accepts
        assert near(b"1.0", b"1.000001")
        assert not near(b"1.0", b"1.0000011")
        assert near(b"1e9", b"1000000999.0")
        assert not near(b"1000000007", b"1000000008")
        assert near(b"1000000007", b"+01000000007")
        assert near(b"0", b"-0")
        assert not near(b"5", b"-5")
        assert near(b"1000000007", b"1000000008.0")

    def test_one_that_is_given_stands_alone(self) -> None:
        assert NumberTolerance.of(abs_tol=1).accepts(b"10", b"11")
        assert not NumberTolerance.of(abs_tol=1e-9).accepts(b"1000000.0", b"1000000.5")
        assert NumberTolerance.of(rel_tol=0.01).accepts(b"1000", b"1005")
        assert not NumberTolerance.of(rel_tol=0.01).accepts(b"0.0", b"0.0000001")
        assert not NumberTolerance.of(abs_tol=0).accepts(b"1.0", b"1.0000000000000000001")

    @pytest.mark.parametrize("tol", [-1e-9, math.nan, math.inf])
    @pytest.mark.parametrize("name", ["abs_tol", "rel_tol"])
    def test_one_that_makes_no_sense_is_refused(self, name: str, tol: float) -> None:
        for mode in ("numeric", "exact"):
            with pytest.raises(UsageError, match=name):
                checker_for(mode, **{name: tol})

    @pytest.mark.parametrize(
        ("expected", "got", "same"),
        [
            (b"nan", b"-NaN", True),
            (b"nan", b"0", False),
            (b"0", b"nan", False),
            (b"inf", b"+Infinity", True),
            (b"inf", b"-inf", False),
            (b"-infinity", b"-INF", True),
            (b"inf", b"1e999", False),
            (b"1e999", b"inf", False),
            (b"inf", b"nan", False),
            (b"1e999", b"10e998", True),
            (b"1e99999999999999999999", b"1e99999999999999999999", True),
            (b"1e99999999999999999999", b"2e99999999999999999999", False),
            (b"1e400000000", b"1", False),
            (b"0e400000000", b"0", True),
            (b"1000", b"1_000", False),
            (b"31", b"0x1F", False),
            (b"1", b"1L", False),
            (b"1", "\uff11".encode(), False),
            (b"abc", b"abd", False),
        ],
    )
    def test_specials_follow_their_rule(self, expected: bytes, got: bytes, same: bool) -> None:
        assert NumberTolerance.of(1e-6, 1e-6).accepts(expected, got) is same

    def test_a_vanishing_part_decides_at_the_edge(self) -> None:
        near = NumberTolerance.of(abs_tol=1).accepts
        assert near(b"1", b"1e-400000000")
        assert not near(b"1", b"-1e-400000000")

    def test_numbers_of_a_million_digits_are_compared_to_the_last(self) -> None:
        digits = b"7" * 1_000_000
        for tolerance in (NumberTolerance.of(), NumberTolerance.of(0, 0)):
            assert tolerance.accepts(digits + b"1", b"+0" + digits + b"1")
            assert not tolerance.accepts(digits + b"1", digits + b"2")
        assert NumberTolerance.of(0, 0).accepts(b"0." + digits, b"." + digits + b"0")
        assert not NumberTolerance.of(0, 0).accepts(b"0." + digits, b"0." + digits + b"1")
        assert NumberTolerance.of(0, 1e-6).accepts(digits + b"1", digits + b"2")


class TestFloatTokens:
    def test_numbers_may_differ_and_words_may_not(self) -> None:
        assert accepted("float_tokens", b"x 0.5 1e-5\n", b"x\n.50000001 0.00001 ")
        assert not accepted("float_tokens", b"x 0.5", b"y 0.5")
        assert not accepted("float_tokens", b"x=0.5", b"x=0.50")

    def test_the_count_of_tokens_must_be_the_same(self) -> None:
        assert not accepted("float_tokens", b"1.0 2.0", b"1.00")
        assert not accepted("float_tokens", b"1.0", b"1.00 2.0")


def found(text: bytes) -> list[bytes]:
    return [match[0] for match in NUMBER.finditer(text)]


class TestNumeric:
    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            (b"3-4", [b"3", b"4"]),
            (b"3 -4", [b"3", b"-4"]),
            (b"(3)-4", [b"3", b"-4"]),
            (b"x=-5 y=+.5", [b"-5", b"+.5"]),
            (b"--5", [b"-5"]),
            (b"5.-3", [b"5.", b"3"]),
            (b"1e-5 1E+3 2e 3e+x", [b"1e-5", b"1E+3", b"2", b"3"]),
            (b"[1,2.5,-3]", [b"1", b"2.5", b"-3"]),
            (b"1,000", [b"1", b"000"]),
            (b"5kg a12 5%", [b"5", b"12", b"5"]),
            (b"1.2.3 1..5 7.", [b"1.2", b"3", b"1.", b"5", b"7."]),
            (b"file.5", [b"5"]),
            (b"nan -inf Infinity", [b"nan", b"-inf", b"Infinity"]),
            (b"nano info xnan xinf infinite nan_", []),
            (b"nan, (inf)", [b"nan", b"inf"]),
            (b"0x1F -0x1f 10x5 00x5", [b"0x1F", b"-0x1f", b"10", b"5", b"00", b"5"]),
            (b"1_000 1_ 1_000_ +1_0_x", [b"1_000", b"1", b"1_000", b"+1_0"]),
            (b"infini. -infi .5e+x", [b".5"]),
            (b"- + . e5 ...", [b"5"]),
            (b"\xff7\x00", [b"7"]),
        ],
    )
    def test_numbers_are_read_rightly(self, text: bytes, numbers: list[bytes]) -> None:
        assert found(text) == numbers
        assert _holds_number(text) == bool(numbers)

    @given(
        st.lists(st.sampled_from([b"nan", b"INF", b"inity", b"0", *b"ni-+._ex \n\xff"]), max_size=9)
    )
    def test_what_is_passed_over_unsearched_holds_no_number(self, parts: list[bytes | int]) -> None:
        text = b"".join(part if isinstance(part, bytes) else bytes([part]) for part in parts)
        assert _holds_number(text) == bool(found(text))

    @given(st.lists(numerals | st.sampled_from([b"nan", b"-inf", b"Infinity"]), max_size=8))
    def test_every_number_that_stands_alone_is_found(self, numbers: list[bytes]) -> None:
        assert found(b" ".join(numbers)) == numbers
        assert found(b"(" + b"), (".join(numbers) + b")") == numbers

    @given(st.text("0123456789+-.eExXnaif_ ,\n", max_size=40).map(str.encode))
    def test_no_digit_is_passed_over(self, text: bytes) -> None:
        kept = b"".join(found(text))
        rest = text
        for number in found(text):
            before, _, rest = rest.partition(number)
            assert not any(chr(byte).isdigit() for byte in before)
        assert not any(chr(byte).isdigit() for byte in rest)
        assert sum(chr(b).isdigit() for b in kept) == sum(chr(b).isdigit() for b in text)

    @pytest.mark.parametrize(
        ("expected", "output"),
        [
            (b"3.14159265", b"pi is about 3.141593\n"),
            (b"1 2 3", b"[1, 2, 3]"),
            (b"[1, 2, 3]", b"1\n2\n3\n"),
            (b"a 1 b 2", b"1 c 2 d d"),
            (b"total: 1e3 kg", b"1000.0"),
            (b"1", b"1 and nothing else"),
            (b"0x1F", b"0x1F!"),
        ],
    )
    def test_what_stands_between_the_numbers_does_not_count(
        self, expected: bytes, output: bytes
    ) -> None:
        assert accepted("numeric", expected, output)

    @pytest.mark.parametrize(
        ("expected", "output"),
        [
            (b"1 2", b"2 1"),
            (b"1 2", b"1"),
            (b"1 2", b"1 2 3"),
            (b"1 2", b"12"),
            (b"5", b""),
            (b"5", b"none"),
            (b"0x1F 3", b"0x2F 3"),
            (b"1_000", b"1000"),
            (b"-5", b"5"),
            (b"5kg", b"7kg"),
            (b"9007199254740993", b"9007199254740992"),
        ],
    )
    def test_each_number_counts(self, expected: bytes, output: bytes) -> None:
        assert not accepted("numeric", expected, output)

    def test_where_no_number_is_expected_the_words_count(self) -> None:
        assert accepted("numeric", b"YES\n", b" YES")
        assert not accepted("numeric", b"YES", b"NO")
        assert not accepted("numeric", b"", b"5")
        assert not accepted("numeric", b"YES", b"YES 5")

    def test_the_first_wrong_number_is_shown(self) -> None:
        case = TestCase(name="one", expected=b"1 2.5 3")
        outcome = checker_for("numeric").check(case, b"a=1,\nb=2.75 c=3")
        assert outcome.message == "line 2, column 3: expected '2.5', got '2.75'"
        outcome = checker_for("numeric").check(case, b"a=1,\nb=2.5\n")
        assert outcome.message == "line 2, column 6: the output ends where '3' is expected"
        outcome = checker_for("numeric").check(case, b"1 2.5 3\n4")
        assert outcome.message == "line 2, column 1: '4' is more than is expected"

    @given(st.text("0123456789+-.eExXnaif_ ,\n", max_size=30).map(str.encode))
    def test_one_search_or_two_the_answer_is_the_same(self, text: bytes) -> None:
        """Token by token where tokens correspond, and over the whole text where they do not."""
        spread = b" , ".join(found(text))
        if found(text):
            assert accepted("numeric", text, spread)
            assert accepted("numeric", spread, text)

    @pytest.mark.parametrize("unit", [b"-", b".", b"1e", b"0x", b"1_", b"nan_", b"+1-", b"i", b"9"])
    def test_a_flood_of_what_nearly_is_a_number_is_read_through(self, unit: bytes) -> None:
        output = unit * (300_000 // len(unit))
        assert not accepted("numeric", b"1 2 3", output)
