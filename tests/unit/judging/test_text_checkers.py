"""What the checkers that compare text accept, refuse and say."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.errors import TestsError, UsageError
from steelyard.judging import MATCH_MODES, Outcome, checker_for
from steelyard.judging.checkers import _outcome
from steelyard.judging.checkers.modes import _numbers, _tokens_and_lines
from steelyard.schemas import TestCase

BLANKS = b" \t\r\n\v\f"
texts = st.lists(
    st.sampled_from([b"a", b"b", b"ab", b"\xff", b"\xc3\xa9", b" ", b"  ", b"\t", b"\n", b"\r\n"]),
    max_size=24,
).map(b"".join)


def judge(mode: str, expected: bytes | str, output: bytes) -> Outcome:
    return checker_for(mode).check(TestCase(name="one", expected=expected), output)


def place(outcome: Outcome) -> tuple[int, int, str, str]:
    assert not outcome.passed
    assert outcome.difference is not None
    found = outcome.difference
    return found.line, found.column, found.expected, found.got


@pytest.fixture(params=["as_it_is", "tiny_chunks"])
def chunks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything again with chunks so small that each text is many of them."""
    if request.param == "tiny_chunks":
        shrink(monkeypatch)


def shrink(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_outcome, "_WINDOW", 3)
    monkeypatch.setattr(_outcome, "_TAIL", 2)
    monkeypatch.setattr(_tokens_and_lines, "_CHUNK_BYTES", 2)
    monkeypatch.setattr(_numbers, "_MATCHES", 2)
    monkeypatch.setattr(_tokens_and_lines, "_PACKED_BYTES", 2)
    monkeypatch.setattr(_tokens_and_lines, "_BUCKET_BYTES", 4)
    monkeypatch.setattr("steelyard.judging.checkers.modes._whole_output._COPIED_FREELY", 0)
    monkeypatch.setattr("steelyard.judging.checkers.modes._tokens_and_lines._SPLIT_AT_ONCE", 0)


@pytest.mark.usefixtures("chunks")
class TestExact:
    @pytest.mark.parametrize(
        ("expected", "output"),
        [
            (b"25", b"25\n"),
            (b"25\n\n", b"25"),
            (b"1\r\n2\r\n", b"1\n2"),
            (b"1\n2", b"1\r\n2 \t\r\n\n"),
            (b"", b" \n"),
            (b" a\n\nb", b" a\n\nb"),
        ],
    )
    def test_line_ends_and_what_trails_the_output_do_not_count(
        self, expected: bytes, output: bytes
    ) -> None:
        assert judge("exact", expected, output).passed

    @pytest.mark.parametrize(
        ("expected", "output", "shown"),
        [
            (b"17\n", b"18\n", (1, 1, "17", "18")),
            (b"1 2 3", b"1 2  3", (1, 5, "3", " 3")),
            (b"12 34", b"12 3 4", (1, 4, "34", "3 4")),
            (b"a\f17", b"a\f18", (1, 3, "17", "18")),
            (b"1\n2\n3\n", b"1\n2\n", (2, 2, "3", "")),
            (b"1\n2\n", b"1\n2\n\n3\n", (4, 1, "", "3")),
            (b"a \nb", b"a\nb", (1, 2, " ", "\\nb")),
            (b" a", b"a", (1, 1, " a", "a")),
            (b"a", b" a", (1, 1, "a", " a")),
            (b"123", b"12", (1, 1, "123", "12")),
            (b"12", b"123", (1, 1, "12", "123")),
            (b"x", b"", (1, 1, "x", "")),
            (b"", b"x", (1, 1, "", "x")),
            (b"a\r\nb\r\nc", b"a\r\nb\r\nd", (3, 1, "c", "d")),
            (b"a\rb", b"a\nb", (1, 2, "\\rb", "\\nb")),
            ("é".encode() * 40 + b"a", "é".encode() * 40 + b"b", (1, 81, "a", "b")),
            ("ß".encode() * 40, "ß".encode() * 39 + "à".encode(), (1, 79, "ß", "à")),
        ],
    )
    def test_the_first_difference_is_shown(
        self, expected: bytes, output: bytes, shown: tuple[int, int, str, str]
    ) -> None:
        assert place(judge("exact", expected, output)) == shown


@pytest.mark.usefixtures("chunks")
class TestTokens:
    @pytest.mark.parametrize(
        "output", [b"1 2 3", b"1\n2\n3\n", b"\t1\r\n\r\n 2\v3\f", b"1  2 3 \n"]
    )
    def test_white_space_of_any_kind_separates(self, output: bytes) -> None:
        assert judge("tokens", b"1 2\n3\n", output).passed

    @pytest.mark.parametrize(
        ("expected", "output", "shown"),
        [
            (b"1 2 3", b"1\n2 4\n", (2, 3, "3", "4")),
            (b"1 2 3", b"1\n2\n\n", (2, 2, "3", "")),
            (b"1 2", b"1\n2\n 3 4", (3, 2, "", "3")),
            (b"12", b"1 2", (1, 1, "12", "1")),
            (b"1 2", b"12", (1, 1, "1", "12")),
            (b"1.0", b"1", (1, 1, "1.0", "1")),
            (b"a\f17", b"a\f18", (1, 3, "17", "18")),
            (b"a", b"A", (1, 1, "a", "A")),
            (b"a\xc2\xa0b", b"a b", (1, 1, "a\\xa0b", "a")),
            (b"x" * 99 + b"y", b"  " + b"x" * 99 + b"z", (1, 102, "y", "z")),
        ],
    )
    def test_the_first_difference_is_shown(
        self, expected: bytes, output: bytes, shown: tuple[int, int, str, str]
    ) -> None:
        assert place(judge("tokens", expected, output)) == shown


@pytest.mark.usefixtures("chunks")
class TestUnordered:
    @pytest.mark.parametrize(
        ("expected", "output"),
        [
            (b"a\nb\nc\n", b"c\nb\na"),
            (b"a\nb\n", b"b \t\r\na\r\n\n \n"),
            (b"a\n\nb", b"\na\nb"),
            (b"x y\nx y\nz", b"x y\nz\nx y"),
            (b"", b"\n\n"),
        ],
    )
    def test_the_order_of_lines_does_not_count(self, expected: bytes, output: bytes) -> None:
        assert judge("unordered", expected, output).passed

    @pytest.mark.parametrize(
        ("expected", "output", "shown"),
        [
            (b"b\na", b"a\nc", (2, 1, "b", "c")),
            (b"a\nb", b"b\na\na", (3, 1, "", "a")),
            (b"a\na\nb", b"b\na", (2, 2, "a", "")),
            (b"a\nb", b"a\n\nb", (2, 1, "", "")),
            (b" a\nb", b"b\na", (2, 1, " a", "a")),
            (b"a b", b"b a", (1, 1, "a b", "b a")),
        ],
    )
    def test_a_line_too_many_or_missing_is_named(
        self,
        expected: bytes,
        output: bytes,
        shown: tuple[int, int, str, str],
        request: pytest.FixtureRequest,
    ) -> None:
        line, column, wanted, got = place(judge("unordered", expected, output))
        if "tiny" in request.node.name:  # the lines that are counted together are others
            assert (line, column) == shown[:2]
            assert got == shown[3]
        else:
            assert (line, column, wanted, got) == shown

    @pytest.mark.parametrize(
        ("expected", "output", "message"),
        [
            (b"b\na", b"a\nc", "line 2: the line 'c' is not expected, and 'b' is missing"),
            (b"a\nb", b"b\na\na", "line 3: the line 'a' appears too often"),
            (b"a\na\nb", b"b\na", "line 2: the line 'a' is missing"),
        ],
    )
    def test_the_message_says_what_is_the_matter_with_the_line(
        self, expected: bytes, output: bytes, message: str, request: pytest.FixtureRequest
    ) -> None:
        if "tiny" not in request.node.name:
            assert judge("unordered", expected, output).message == message


class TestContains:
    def test_the_expected_text_may_stand_anywhere(self) -> None:
        assert judge("contains", b"two\nthree\n", b"one\r\ntwo\r\nthree four").passed

    def test_white_space_before_and_within_counts(self) -> None:
        assert not judge("contains", b" two", b"one\ntwo").passed
        assert not judge("contains", b"one two", b"one  two").passed

    def test_the_message_names_the_text(self) -> None:
        assert judge("contains", b"42\n", b"41").message == "the output does not contain '42'"

    @pytest.mark.parametrize("expected", [b"", b" \r\n"])
    def test_nothing_to_look_for_is_refused_before_any_run(self, expected: bytes) -> None:
        case = TestCase(name="void", expected=expected)
        with pytest.raises(TestsError, match=r"'void'.*nothing to look for"):
            checker_for("contains").validate(case)
        with pytest.raises(TestsError, match="'void'"):
            checker_for("contains").check(case, b"anything")


class TestRegex:
    @pytest.mark.parametrize(
        ("pattern", "output"),
        [
            (b"^42$\n", b"42\r\n\n"),
            (b"a+b", b"xxaaabxx"),
            (b"(?m)^two$", b"one\r\ntwo\r\nthree"),
            (b"^$", b"\n"),
            ("^.é.$".encode(), "aéb".encode()),
            (b"x\\d", b"\xff\xfe x5 \x00"),
            (b"a\xff$", b"a\xff"),
            (b"(a)(b)?", b"a"),
        ],
    )
    def test_a_pattern_is_found_anywhere(self, pattern: bytes, output: bytes) -> None:
        assert judge("regex", pattern, output).passed

    @pytest.mark.parametrize(
        ("pattern", "output"), [(b"^two", b"one\ntwo"), (b"^4$", b"42"), (b"a.b", b"a\xffb")]
    )
    def test_a_pattern_that_is_not_found_is_named(self, pattern: bytes, output: bytes) -> None:
        outcome = judge("regex", pattern, output)
        assert not outcome.passed
        assert pattern.decode() in outcome.message

    @pytest.mark.parametrize(
        "pattern",
        [b"(", b"[a", b"a**", b"(?<=a)b", b"(a)\\1", b"(\\w{1,100}){1,100}{1,100}", b"", b"\n"],
    )
    def test_a_pattern_that_cannot_be_used_is_refused_before_any_run(self, pattern: bytes) -> None:
        case = TestCase(name="seven", expected=pattern)
        with pytest.raises(TestsError, match="'seven'") as refused:
            checker_for("regex").validate(case)
        assert "\n" not in str(refused.value)
        with pytest.raises(TestsError, match="'seven'"):
            checker_for("regex").check(case, b"anything")

    def test_a_pattern_that_backtracks_elsewhere_ends(self) -> None:
        assert not judge("regex", b"^(a+)+$", b"a" * 100_000 + b"b").passed


def naive_lines(data: bytes) -> list[bytes]:
    stripped = data.rstrip(BLANKS)
    return sorted(line.rstrip(BLANKS) for line in stripped.split(b"\n")) if stripped else []


REFERENCES = {
    "exact": lambda data: data.replace(b"\r\n", b"\n").rstrip(BLANKS),
    "tokens": bytes.split,
    "unordered": naive_lines,
}


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("mode", REFERENCES)
def test_the_answer_is_that_of_the_plain_definition(mode: str, small: bool) -> None:
    @given(texts, texts)
    @example(b"a\n\n\n", b"a\n\nb")
    @example(b"\n\na", b"\na\n")
    def compare(expected: bytes, output: bytes) -> None:
        with pytest.MonkeyPatch.context() as patch:
            if small:
                shrink(patch)
            outcome = judge(mode, expected, output)
        assert outcome.passed == (REFERENCES[mode](expected) == REFERENCES[mode](output))
        assert outcome.passed == (outcome.difference is None)

    compare()


@pytest.mark.parametrize("mode", REFERENCES)
def test_an_output_in_other_white_space_or_order_passes(mode: str) -> None:
    @given(st.data(), texts)
    def compare(data: st.DataObject, expected: bytes) -> None:
        if mode == "exact":
            output = expected.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b" \n"
        elif mode == "tokens":
            output = b"\t\n".join(expected.split())
        else:
            lines = expected.rstrip(BLANKS).split(b"\n")
            output = b" \r\n".join(data.draw(st.permutations(lines)))
            if output.rstrip(BLANKS) == b"" or output.split(b"\n")[-1].strip() == b"":
                return  # empty lines at the end are dropped
        assert judge(mode, expected, output).passed

    compare()


@given(texts, st.binary(max_size=400))
@example(b"a", b"\x1b[2J\x07\xe2\x80\xae")
def test_what_is_shown_is_one_bounded_printable_line(expected: bytes, output: bytes) -> None:
    for mode in ("exact", "tokens", "lines", "unordered", "numeric", "float_tokens"):
        outcome = judge(mode, expected, output)
        shown = [outcome.message]
        if outcome.difference:
            shown += [outcome.difference.expected, outcome.difference.got]
        for text in shown:
            assert text.isprintable()
            assert len(text) < 1_000


@given(texts, texts)
def test_the_place_is_where_the_output_holds_what_is_shown(expected: bytes, output: bytes) -> None:
    for mode in ("exact", "tokens", "lines", "float_tokens"):
        difference = judge(mode, expected, output).difference
        if difference is None:
            continue
        shown = output.replace(b"\r\n", b"\n") if mode == "exact" else output
        line = shown.split(b"\n")[difference.line - 1] + b"\n"
        assert 1 <= difference.column <= len(line)
        got = line[difference.column - 1 :].decode(errors="backslashreplace")
        if difference.got and "\\" not in difference.got:
            assert got.startswith(difference.got)


def test_each_mode_accepts_the_expected_output_itself() -> None:
    for mode in set(MATCH_MODES) - {"regex"}:
        assert judge(mode, b"1 a\n2.5 b\n", b"1 a\n2.5 b\n").passed, mode


@pytest.mark.usefixtures("chunks")
class TestLines:
    def test_white_space_at_the_ends_of_lines_and_of_the_text_is_ignored(self) -> None:
        for expected, output in (
            (b"1 2\n3\n", b"1 2 \r\n3\t\n\n \n"),
            (b"1 2  \n\n3", b"1 2\n \n3"),
            (b" a\n", b" a"),
            (b"", b" \n\n"),
        ):
            assert judge("lines", expected, output).passed, output
            assert judge("lines", output, expected).passed, output

    def test_all_other_white_space_counts(self) -> None:
        for expected, output, found in (
            (b"1 2\n3\n", b"1  2\n3\n", (1, 3, "2", " 2")),
            (b"a\nb", b" a\nb", (1, 1, "a", " a")),
            (b"a\n\nb", b"a\nb", (2, 1, "\\nb", "b")),
            (b"a\nb\n", b"a\n", (1, 2, "b", "")),
            (b"a\n", b"a\n\nb\n", (2, 1, "", "\\nb")),
            (b"a\nx 15 z\n", b"a\nx 12 z\n", (2, 3, "15 z", "12 z")),
        ):
            assert place(judge("lines", expected, output)) == found, output

    @given(texts, texts)
    def test_it_accepts_what_a_plain_reading_accepts(self, expected: bytes, output: bytes) -> None:
        def plain(text: bytes) -> list[bytes]:
            return [line.rstrip() for line in text.rstrip(BLANKS).split(b"\n")]

        assert judge("lines", expected, output).passed == (plain(expected) == plain(output))


@pytest.mark.usefixtures("chunks")
def test_case_is_ignored_if_that_is_asked_for() -> None:
    for mode, expected, output in (
        ("tokens", b"YES no\n1", b"yes No 1"),
        ("lines", b"Case #1: Yes\n", b"CASE #1: YES \n"),
        ("float_tokens", b"Sum 1e5 INF", b"sum 100000.0 inf"),
    ):
        case = TestCase(name="one", expected=expected)
        assert not checker_for(mode).check(case, output).passed, mode
        assert checker_for(mode, ignore_case=True).check(case, output).passed, mode
        assert not checker_for(mode, ignore_case=True).check(case, output + b" x").passed, mode
    case = TestCase(name="one", expected="\u00c9".encode())  # letters beyond A to Z are themselves
    assert not checker_for("tokens", ignore_case=True).check(case, "\u00e9".encode()).passed
    wrong = checker_for("lines", ignore_case=True).check(
        TestCase(name="one", expected=b"Yes 1"), b"YES 2"
    )
    assert place(wrong) == (1, 5, "1", "2")
    for mode in ("exact", "contains", "regex", "numeric", "unordered"):
        with pytest.raises(UsageError, match=f"'{mode}' does not ignore case; use one of tokens"):
            checker_for(mode, ignore_case=True)


def test_an_unknown_mode_is_refused_with_the_list() -> None:
    with pytest.raises(UsageError, match=r"'fuzzy'.*exact, tokens.*unordered"):
        checker_for("fuzzy")
    with pytest.raises(UsageError, match="checker program"):
        checker_for("program")


@pytest.mark.parametrize("mode", ["exact", "tokens", "lines", "contains", "regex", "unordered"])
def test_a_mode_that_compares_no_numbers_takes_no_tolerance(mode: str) -> None:
    with pytest.raises(UsageError, match=f"'{mode}'.*numeric or float_tokens"):
        checker_for(mode, abs_tol=1e-3)
    with pytest.raises(UsageError, match=f"'{mode}'.*numeric or float_tokens"):
        checker_for(mode, rel_tol=0)
