"""A comparison says the same thing in JSON, at a terminal and as a page, whatever is in it."""

import json
from html.parser import HTMLParser

import pytest

from steelyard.comparing import view
from steelyard.reports import page, plain, terminal_lines
from steelyard.schemas import Comparison
from tests.unit.comparing.sample_comparisons import (
    SAMPLES,
    accepted,
    broken,
    differs,
    hostile,
    not_finite,
    slower,
    undecided,
    unproved,
)

every_sample = pytest.mark.parametrize("name", SAMPLES)


def printed(comparison: Comparison, width: int = 100, *, ascii_only: bool = False) -> str:
    blocks = view(comparison, brief=True)
    return "\n".join(map(plain, terminal_lines(blocks, width=width, ascii_only=ascii_only)))


class Page(HTMLParser):
    """A page's elements, checked to be closed in order, and what it shows as text."""

    def __init__(self, comparison: Comparison, title: str = "candidate.py") -> None:
        super().__init__()
        self.source = page(title, view(comparison))
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(self.source)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "hr", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def count(self, tag: str, kind: str) -> int:
        return sum(
            each == tag and kind in (at.get("class") or "").split() for each, at in self.seen
        )


# JSON


@every_sample
def test_json_holds_every_field_and_no_number_that_is_none(name: str) -> None:
    plain = SAMPLES[name]().to_dict()
    text = json.dumps(plain, allow_nan=False, ensure_ascii=False)
    assert json.loads(text.encode()) == plain
    assert set(plain) == {*Comparison.model_fields, "accepted", "passed"}


def test_json_has_the_numbers_as_they_are() -> None:
    comparison = accepted()
    assert comparison.speed is not None
    plain = comparison.to_dict()
    assert plain["accepted"] is True
    assert plain["speed"]["speedup"] == {"low": 1.79, "mid": 1.84, "high": 1.9}
    assert plain["speed"]["estimates"] == list(comparison.speed.estimates)
    assert plain["behaviour"]["cases"][0]["test_type"] == 1
    del plain["accepted"]
    assert Comparison.model_validate_json(json.dumps(plain)) == comparison


def test_a_number_that_is_not_finite_is_null_in_json() -> None:
    plain = not_finite().to_dict()
    assert plain["speed"]["speedup"] == {"low": 0.0, "mid": 2.0, "high": None}
    assert plain["speed"]["estimates"] == [None, None, 0.0, -1.0, 2.0, 2.0]
    assert plain["part_seconds"] == {"speed": None}
    assert not broken().to_dict()["accepted"]


# Terminal


def test_the_terminal_says_the_verdict_first() -> None:
    head = printed(accepted()).splitlines()
    assert head[0] == "ACCEPTED  shop.carts:totals"
    assert head[1] == "1.84 times as fast (1.79 to 1.90); same behaviour in 57 cases of 58"
    assert printed(differs()).splitlines()[:2] == [
        "REJECTED  shop.carts:totals",
        "behaviour differs in 2 of 59 cases",
    ]


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        (slower, "slower: 0.61 times as fast (0.58 to 0.64)"),
        (undecided, "undecided whether faster: 1.04 times as fast (0.97 to 1.12)"),
        (lambda: undecided(0.946, 0.956), "slower, perhaps by less than 5 %: 0.95 times as fast"),
        (lambda: undecided(1.03, 1.07), "faster, perhaps by less than 5 %: 1.05 times as fast"),
        (lambda: undecided(1.9, 2.1), "gain not confirmed: 2.00 times as fast"),
        (unproved, "behaviour unproved: nothing could be compared"),
        (broken, "does-not-parse: line 3: '(' was never closed"),
    ],
)
def test_why_not_is_said_in_both_forms(sample, said: str) -> None:
    assert said in printed(sample())
    assert said.replace("does-not-parse: ", "") in Page(sample()).text


def test_what_rejects_comes_before_the_warnings() -> None:
    for shown in (printed(differs()), Page(differs()).text):
        assert 0 < shown.index("2 of 59 cases differ") < shown.index("the tests reach 41 % of it")


def test_a_difference_is_shown_with_its_call_and_both_values() -> None:
    shown = " ".join(printed(differs(), width=120).split())
    for said in (
        "generated 17 (generated calls)",
        "input: totals([Line(name='a', category='', price=1.0, amount=0)], rates=None)",
        "note: AssertionError: did not raise TypeError",
        "result[''] 0.0 missing",
        "exception TypeError KeyError",
        "random.getstate() as before changed",
    ):
        assert said in shown
    page = Page(differs()).text
    for said in (
        "totals([Line(name='a', category='', price=1.0, amount=0)], rates=None)",
        "path original candidate kind",
        "result[''] 0.0 missing",
        "exception TypeError KeyError",
        "random.getstate() as before changed",
    ):
        assert said in page


def test_cases_are_counted_by_origin() -> None:
    behaviour = slower().behaviour
    assert behaviour is not None
    (counts,) = behaviour.counts().items()  # of one type, so without a sum
    assert counts[1] == {"same": 3, "different": 0, "not-comparable": 0, "dropped": 0}
    lines = [line.split() for line in printed(accepted()).splitlines()]
    assert ["replayed", "calls", "12", "0", "1", "0"] in lines
    assert ["all", "57", "0", "1", "2"] in lines
    assert "replayed calls 12 0 1 0" in Page(accepted()).text


def test_dropped_and_incomparable_cases_say_why() -> None:
    for shown in (printed(accepted()), Page(accepted()).text):
        assert "flaky: 2 of 3 runs differ" in shown
        assert "result.socket <socket.socket> not-comparable" in " ".join(shown.split())


def test_times_are_shown_in_units_that_fit() -> None:
    shown = printed(accepted())
    assert "1.84 (1.80 to 1.88)    900 ns     489 ns" in shown
    assert "62.8 µs" in shown
    assert "us" in printed(accepted(), ascii_only=True)


def test_of_many_tests_those_that_tell_most_are_listed() -> None:
    shown = printed(slower())
    rows = [line for line in shown.splitlines() if "test_totals_of_many_lines[" in line]
    assert len(rows) == 12
    assert any("[400-eur]" in row for row in rows)  # the costliest
    assert any("0.31 (0.29 to 0.33)" in row for row in rows)  # the one that loses most
    assert "and 28 more tests" in shown


def test_generated_calls_are_listed_by_the_types_of_their_arguments() -> None:
    speed = accepted().speed
    assert speed is not None
    kinds = tuple(
        case.model_copy(update={"name": name})
        for case, name in zip(speed.cases, ("list", "deque"), strict=False)
    )
    shown = accepted().model_copy(update={"speed": speed.model_copy(update={"kinds": kinds})})
    for text in (printed(shown), Page(shown).text):
        assert "generated calls: list" in text
        assert "generated calls: deque" in text


def test_coverage_memory_and_hot_lines_are_shown_for_both() -> None:
    shown = printed(accepted(), width=120)
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "coverage (at least 60 %) 100 % 83 %" in lines
    assert "lines not reached none 14" in lines
    assert "peak memory 12.4 MiB 400 KiB" in lines
    assert "14 100 2.9 ms 56 % if other is line:" in lines


def test_how_it_was_measured_is_said() -> None:
    for shown in (printed(accepted(), width=120), Page(accepted()).text):
        for said in (
            "interleaved calls in pairs of processes",
            "32 processes, 410 rounds, 3.42 s",
            "CPython 3.11.7",
            "line profile 300 ms",
        ):
            assert said in shown
    assert "no known rate of error" in printed(undecided(), width=120)


def test_what_was_not_looked_at_is_not_mentioned() -> None:
    assert len(printed(broken()).splitlines()) == 2
    assert "<h2>" not in Page(broken()).source
    assert "speed" not in printed(differs())
    assert "memory" not in printed(slower())


@every_sample
@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    assert max(len(line) for line in printed(SAMPLES[name](), width).splitlines()) <= width


@every_sample
def test_a_terminal_of_ascii_gets_ascii(name: str) -> None:
    assert printed(SAMPLES[name](), ascii_only=True).isascii()


def test_hostile_text_steers_no_terminal() -> None:
    shown = printed(hostile().model_copy(update={"diff": ""}))
    assert not {"\x1b", "\x07", "\u202e", "\udc80", "\r"} & set(shown)
    assert "<script>" in shown
    assert "[bold]" in shown  # markup is text
    assert "x" * 3_100 not in "".join(shown.split())  # three columns with 1,000 each


# Page


@every_sample
def test_a_page_is_well_formed_and_asks_for_nothing(name: str) -> None:
    page = Page(SAMPLES[name](), title="</title><script>x</script>")
    tags = {tag for tag, _ in page.seen}
    assert not tags & {"script", "link", "img", "iframe", "a", "form", "object"}
    assert not any(
        key in ("src", "href", "action") or key.startswith("on")
        for _, at in page.seen
        for key in at
    )
    assert "default-src 'none'" in page.source
    assert "url(" not in page.source
    assert "http://" not in page.source.replace("http://www.w3.org", "")
    assert "https://" not in page.source
    page.source.encode()
    for tag, attributes in page.seen:
        if tag == "svg" and "aria-hidden" not in attributes:
            assert attributes["role"] == "img"
            assert attributes["aria-label"]


def test_hostile_text_stays_text_on_the_page() -> None:
    page = Page(hostile())
    assert "<script" not in page.source
    assert "<img" not in page.source
    assert not {"\x1b", "\x07", "\u202e", "\udc80", "\r"} & set(page.source)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.source
    assert "x" * 3000 not in page.source
    assert len(page.source) < 200_000


def test_the_page_shows_the_diff_with_line_numbers_and_changed_words() -> None:
    page = Page(accepted())
    assert page.count("tr", "removed") == 9
    assert page.count("tr", "added") == 7
    assert "<mark>, defaultdict</mark>" in page.source
    assert "<mark>defaultdict(float)</mark>" in page.source
    assert '<td class="no">20</td><td class="no">18</td>' in page.source
    assert "--- a/shop" not in page.source


def test_lines_of_the_diff_that_no_test_reaches_are_marked() -> None:
    assert '<td class="no"></td><td class="no missed">14</td>' in Page(accepted()).source
    assert Page(accepted()).count("td", "missed") == 1
    assert Page(differs()).count("td", "missed") == 0


def test_the_page_plots_each_test_and_the_whole() -> None:
    page = Page(accepted())
    labels = [at["aria-label"] for tag, at in page.seen if tag == "svg" and "aria-label" in at]
    assert labels == ["Speedup by pair of processes"]
    assert page.count("line", "interval") == 9 + 1
    assert page.count("circle", "dot") == (9 + 1) + 16
    assert page.count("line", "alike") == 10 + 1  # with that of the legend


def test_what_cannot_be_drawn_is_left_out_of_the_plot() -> None:
    page = Page(not_finite())
    assert page.count("line", "interval") == 1
    assert page.count("circle", "dot") == 1 + 2
    assert "unbounded" in page.text
    assert "nan" not in page.source


def test_all_but_the_first_differing_cases_are_folded() -> None:
    behaviour = differs().behaviour
    assert behaviour is not None
    case = next(case for case in behaviour.cases if case.outcome == "different")
    many = behaviour.model_copy(update={"cases": (case,) * 12})
    page = Page(differs().model_copy(update={"behaviour": many}))
    folded = ["open" not in at for tag, at in page.seen if tag == "details"]
    assert folded == [False] * 5 + [True] * 7


def test_the_page_shows_each_line_with_its_share_as_a_bar() -> None:
    page = Page(accepted())
    bars = [float(at["width"] or "") for tag, at in page.seen if at.get("class") == "bar-part"]
    assert len(bars) == 12 + 10
    assert sum(bars[:12]) == pytest.approx(100, abs=1)
    assert sum(bars[12:]) == pytest.approx(100, abs=1)
    assert "2.9 ms" in page.text
