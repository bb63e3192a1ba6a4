"""Built-in values and the standard library's: what is equal, and what is said where it is not."""

import array
import datetime as dt
import enum
import io
import ipaddress
import pathlib
import random
import re
import uuid
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

from tests.unit.values.snapshot_pairs import EQUAL, Make, Tolerance, differences, table

NAN, INF = float("nan"), float("inf")
UTC = dt.timezone.utc  # noqa: UP017
HOUR = dt.timezone(dt.timedelta(hours=1))


class Colour(enum.Enum):
    RED = 1
    CRIMSON = 1  # noqa: PIE796
    BLUE = 2


class Shade(enum.Enum):
    RED = 1


class Bits(enum.Flag):
    A = 1
    B = 2


class Level(enum.IntEnum):
    LOW = 1


class MyInt(int):
    pass


class MyStr(str):  # noqa: SLOT000
    pass


class MyFloat(float):
    pass


@table(
    ("int", lambda: 1, lambda: 1, EQUAL),
    ("int differs", lambda: 1, lambda: 2, "value result: 1 != 2"),
    ("int and bool", lambda: 1, lambda: True, "type result: 1 != True"),
    ("int and float", lambda: 1, lambda: 1.0, "type result: 1 != 1.0"),
    ("bool and float", lambda: True, lambda: 1.0, "type result: True != 1.0"),
    ("bool", lambda: True, lambda: False, "value result: True != False"),
    ("none", lambda: None, lambda: None, EQUAL),
    ("none and false", lambda: None, lambda: False, "type result: None != False"),
    ("int and text", lambda: 1, lambda: "1", "type result: 1 != '1'"),
    ("large int", lambda: 10**5000, lambda: 10**5000, EQUAL),
    ("large int negative", lambda: -(10**5000), lambda: -(10**5000), EQUAL),
    (
        "middling int",
        lambda: 1 << 70,
        lambda: (1 << 70) + 1,
        "value result: 1180591620717411303424 != 1180591620717411303425",
    ),
    ("int subclass", lambda: MyInt(3), lambda: MyInt(3), EQUAL),
    (
        "int subclass differs",
        lambda: MyInt(3),
        lambda: MyInt(4),
        "value result: MyInt(3) != MyInt(4)",
    ),
    ("int subclass and int", lambda: MyInt(3), lambda: 3, "type result: MyInt(3) != 3"),
    ("str subclass", lambda: MyStr("a"), lambda: "a", "type result: MyStr('a') != 'a'"),
    ("float subclass nan", lambda: MyFloat("nan"), lambda: MyFloat("nan"), EQUAL),
    ("nan", lambda: NAN, lambda: -NAN, EQUAL),
    ("nan and a number", lambda: NAN, lambda: 0.0, "value result: nan != 0.0"),
    ("infinity", lambda: INF, lambda: INF, EQUAL),
    ("infinities", lambda: INF, lambda: -INF, "value result: inf != -inf"),
    ("negative zero", lambda: -0.0, lambda: 0.0, "value result: -0.0 != 0.0"),
    ("last place", lambda: 0.1 + 0.2, lambda: 0.3, "value result: 0.30000000000000004 != 0.3"),
    ("subnormal", lambda: 5e-324, lambda: 5e-324, EQUAL),
    ("complex", lambda: 1 + 2j, lambda: 1 + 2j, EQUAL),
    ("complex differs", lambda: 1 + 2j, lambda: 1 + 3j, "value result: (1+2j) != (1+3j)"),
    ("complex zero", lambda: complex(0.0, -0.0), lambda: 0j, "value result: -0j != 0j"),
    ("complex nan", lambda: complex(NAN, 1), lambda: complex(NAN, 1), EQUAL),
    ("complex and float", lambda: 1 + 0j, lambda: 1.0, "type result: (1+0j) != 1.0"),
    ("text", lambda: "é\n", lambda: "é\n", EQUAL),
    ("text differs", lambda: "é", lambda: "e\u0301", "value result: 'é' != 'e\u0301'"),
    ("lone surrogate", lambda: "\ud800", lambda: "\ud800", EQUAL),
    (
        "surrogate halves",
        lambda: "\ud83d\ude00",
        lambda: "\U0001f600",
        "value result: '\\ud83d\\ude00' != '\U0001f600'",
    ),
    ("control characters", lambda: "\x1b[2J", lambda: "", "value result: '\\x1b[2J' != ''"),
    ("bytes", lambda: b"a\xff", lambda: b"a\xff", EQUAL),
    ("bytes differ", lambda: b"a", lambda: b"b", "value result: b'a' != b'b'"),
    ("bytes and text", lambda: b"a", lambda: "a", "type result: b'a' != 'a'"),
    (
        "bytes and bytearray",
        lambda: b"a",
        lambda: bytearray(b"a"),
        "type result: b'a' != bytearray(b'a')",
    ),
    (
        "bytearray",
        lambda: bytearray(b"a"),
        lambda: bytearray(b"b"),
        "value result: bytearray(b'a') != bytearray(b'b')",
    ),
    ("memoryview", lambda: memoryview(b"ab"), lambda: memoryview(b"ab"), EQUAL),
    ("memoryview of another", lambda: memoryview(b"ab")[1:], lambda: memoryview(b"cb")[1:], EQUAL),
    ("memoryview differs", lambda: memoryview(b"ab"), lambda: memoryview(b"ac"), "value"),
    ("range", lambda: range(3), lambda: range(0, 3, 1), EQUAL),
    (
        "range differs",
        lambda: range(3),
        lambda: range(4),
        "value result: range(0, 3) != range(0, 4)",
    ),
    ("slice", lambda: slice(1, 2), lambda: slice(1, 2), EQUAL),
    ("slice differs", lambda: slice(1, 2), lambda: slice(1, 3), "value result.stop: 2 != 3"),
    ("ellipsis", lambda: ..., lambda: ..., EQUAL),
    ("not implemented", lambda: NotImplemented, lambda: NotImplemented, EQUAL),
    ("ellipsis and none", lambda: ..., lambda: None, "type result: ellipsis() != None"),
    ("array", lambda: array.array("i", [1]), lambda: array.array("i", [1]), EQUAL),
    (
        "array differs",
        lambda: array.array("i", [1, 2]),
        lambda: array.array("i", [1, 3]),
        "value result[1]: 2 != 3 (1 of 2 differ, by up to 1)",
    ),
    (
        "array code",
        lambda: array.array("i", [1]),
        lambda: array.array("h", [1]),
        "type result: i (1,) != h (1,)",
    ),
    (
        "array of text",
        lambda: array.array("u", "ab"),
        lambda: array.array("u", "ac"),
        "value result[1]: 'b' != 'c'",
    ),
    ("enum", lambda: Colour.RED, lambda: Colour.CRIMSON, EQUAL),
    (
        "enum differs",
        lambda: Colour.RED,
        lambda: Colour.BLUE,
        "value result: Colour.RED != Colour.BLUE",
    ),
    (
        "enum of another class",
        lambda: Colour.RED,
        lambda: Shade.RED,
        "type result: Colour.RED != Shade.RED",
    ),
    ("flags", lambda: Bits.A | Bits.B, lambda: Bits.A | Bits.B, EQUAL),
    ("flags differ", lambda: Bits.A | Bits.B, lambda: Bits.A, "value"),
    ("no flag", lambda: Bits(0), lambda: Bits(0), EQUAL),
    ("int enum and int", lambda: Level.LOW, lambda: 1, "type result: Level.LOW != 1"),
    (
        "date",
        lambda: dt.date(2020, 1, 2),
        lambda: dt.date(2020, 1, 3),
        "value result: date(2020, 1, 2) != date(2020, 1, 3)",
    ),
    (
        "datetime and date",
        lambda: dt.datetime(2020, 1, 2),
        lambda: dt.date(2020, 1, 2),
        "type result: datetime(2020, 1, 2, 0, 0, 0, 0) != date(2020, 1, 2)",
    ),
    (
        "aware",
        lambda: dt.datetime(2020, 1, 2, tzinfo=UTC),
        lambda: dt.datetime(2020, 1, 2, tzinfo=UTC),
        EQUAL,
    ),
    (
        "naive and aware",
        lambda: dt.datetime(2020, 1, 2),
        lambda: dt.datetime(2020, 1, 2, tzinfo=UTC),
        "extra result.tzinfo: nothing != timezone(0, 0, 0)",
    ),
    (
        "the same moment",
        lambda: dt.datetime(2020, 1, 2, 1, tzinfo=HOUR),
        lambda: dt.datetime(2020, 1, 2, 0, tzinfo=UTC),
        "value",
    ),
    (
        "fold",
        lambda: dt.datetime(2020, 1, 2),
        lambda: dt.datetime(2020, 1, 2, fold=1),
        "extra result.fold: nothing != 1",
    ),
    ("time", lambda: dt.time(1, 2, 3, 4), lambda: dt.time(1, 2, 3, 5), "value"),
    ("timedelta", lambda: dt.timedelta(days=1), lambda: dt.timedelta(hours=24), EQUAL),
    ("timedelta differs", lambda: dt.timedelta(1), lambda: dt.timedelta(2), "value"),
    ("timezone name", lambda: UTC, lambda: dt.timezone(dt.timedelta(0), "Z"), "value"),
    ("zone", lambda: ZoneInfo("UTC"), lambda: ZoneInfo.no_cache("UTC"), EQUAL),
    ("zone and timezone", lambda: ZoneInfo("UTC"), lambda: UTC, "type"),
    ("decimal", lambda: Decimal("1.0"), lambda: Decimal("1.0"), EQUAL),
    (
        "decimal places",
        lambda: Decimal("1.0"),
        lambda: Decimal("1.00"),
        "value result: Decimal('1.0') != Decimal('1.00')",
    ),
    ("decimal nan", lambda: Decimal("NaN"), lambda: Decimal("NaN"), EQUAL),
    ("decimal signs", lambda: Decimal("-0"), lambda: Decimal(0), "value"),
    ("decimal long", lambda: Decimal("1" * 5000), lambda: Decimal("1" * 4999 + "2"), "value"),
    ("fraction", lambda: Fraction(1, 2), lambda: Fraction(2, 4), EQUAL),
    (
        "fraction differs",
        lambda: Fraction(1, 2),
        lambda: Fraction(1, 3),
        "value result.denominator: 2 != 3",
    ),
    ("uuid", lambda: uuid.UUID(int=1), lambda: uuid.UUID(int=1), EQUAL),
    ("uuid differs", lambda: uuid.UUID(int=1), lambda: uuid.UUID(int=2), "value"),
    ("path", lambda: pathlib.PurePosixPath("a/b"), lambda: pathlib.PurePosixPath("a//b"), EQUAL),
    (
        "path differs",
        lambda: pathlib.Path("a"),
        lambda: pathlib.Path("b"),
        "value result: PosixPath('a') != PosixPath('b')",
    ),
    ("pure path", lambda: pathlib.Path("a"), lambda: pathlib.PurePosixPath("a"), "type"),
    ("address", lambda: ipaddress.ip_address("::1"), lambda: ipaddress.ip_address("0:0::1"), EQUAL),
    (
        "address differs",
        lambda: ipaddress.ip_address("1.1.1.1"),
        lambda: ipaddress.ip_address("1.1.1.2"),
        "value",
    ),
    (
        "network",
        lambda: ipaddress.ip_network("10.0.0.0/8"),
        lambda: ipaddress.ip_network("10.0.0.0/9"),
        "value",
    ),
    (
        "interface",
        lambda: ipaddress.ip_interface("10.0.0.1/8"),
        lambda: ipaddress.ip_interface("10.0.0.1/9"),
        "value",
    ),
    ("pattern", lambda: re.compile("a+"), lambda: re.compile("a+"), EQUAL),
    (
        "pattern flags",
        lambda: re.compile("a"),
        lambda: re.compile("a", re.IGNORECASE),
        "value result.flags: 32 != 34",
    ),
    ("pattern of bytes", lambda: re.compile("a"), lambda: re.compile(b"a"), "type"),
    ("match", lambda: re.match("(a)(b)?", "ac"), lambda: re.match("(a)(b)?", "ac"), EQUAL),
    (
        "match spans",
        lambda: re.match("a", "aa"),
        lambda: re.match("a", "ab"),
        "value result.string: 'aa' != 'ab'",
    ),
    ("text in memory", lambda: io.StringIO("ab"), lambda: io.StringIO("ab"), EQUAL),
    (
        "text in memory differs",
        lambda: io.StringIO("ab"),
        lambda: io.StringIO("ac"),
        "value result.content: 'ab' != 'ac'",
    ),
    ("random", lambda: random.Random(1), lambda: random.Random(1), EQUAL),
    ("random differs", lambda: random.Random(1), lambda: random.Random(2), "value"),
)
def test_values(original: Make, candidate: Make, said: str) -> None:
    found = differences(original(), candidate())
    if " " in said or not said:
        assert found == said
    else:
        assert found.startswith(f"{said} result")


def test_a_position_in_a_stream_counts() -> None:
    streams = [io.BytesIO(b"abc"), io.BytesIO(b"abc")]
    streams[1].read(2)
    assert differences(*streams) == "value result.position: 0 != 2"
    assert streams[0].read() == b"abc"


@table(
    ("close", 1.0, 1.0 + 1e-9, EQUAL),
    ("far", 1.0, 1.1, "value result: 1.0 != 1.1"),
    ("zeros", 0.0, -0.0, EQUAL),
    ("near zero", 0.0, 1e-9, EQUAL),
    ("nan", NAN, NAN, EQUAL),
    ("nan and a number", NAN, 1.0, "value result: nan != 1.0"),
    ("infinity and a number", INF, 1e308, "value result: inf != 1e+308"),
    ("infinities", INF, INF, EQUAL),
    ("complex", 1 + 1j, 1 + (1 + 1e-9) * 1j, EQUAL),
    ("complex far", 1 + 1j, 1 + 2j, "value result: (1+1j) != (1+2j)"),
    ("ints stay exact", 10**9, 10**9 + 1, "value result: 1000000000 != 1000000001"),
    ("types stay exact", 1, 1.0, "type result: 1 != 1.0"),
    (
        "decimals stay exact",
        Decimal("1.000000001"),
        Decimal(1),
        "value result: Decimal('1.000000001') != Decimal('1')",
    ),
    ("in a list", [1.0, [2.0]], [1.0, [2.0 + 1e-9]], EQUAL),
    ("in a set", {1.0, 2.0}, {1.0 + 1e-9, 2.0}, EQUAL),
    ("in a set of tuples", {(9.999999999, (1,)), (2.0, (1,))}, {(10.0, (1,)), (2.0, (1,))}, EQUAL),
    ("in keys", {1.0: 2}, {1.0 + 1e-9: 2}, EQUAL),
    ("subclass", MyFloat(1), MyFloat(1 + 1e-9), EQUAL),
)
def test_tolerance(original: object, candidate: object, said: str) -> None:
    tolerance = Tolerance(relative=1e-6, absolute=1e-8)
    assert differences(original, candidate, tolerance=tolerance) == said
    if repr(original) != repr(candidate) and not said:
        assert differences(original, candidate), "the tolerance decided nothing"
