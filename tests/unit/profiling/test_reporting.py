"""A report says the same thing in JSON, at a terminal, as a picture and as a page."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import pytest

from steelyard.errors import UsageError
from steelyard.profiling import comparison_view, plot, time_chart, view
from steelyard.profiling._charts import charts_of
from steelyard.profiling._words import class_name, interval
from steelyard.reports import (
    Block,
    in_ascii,
    milliseconds,
    page,
    percent,
    plain,
    svg_chart,
    terminal_lines,
)
from steelyard.schemas import Band, GrowthComparison, Measurement, ProfileReport, StopReason
from tests.unit.profiling.sample_reports import (
    SAMPLES,
    exponential,
    hostile,
    no_counts,
    nothing_measured,
    pairs_py,
    shortest_routes,
    sort_cpp,
    two_parameters,
    unsure,
)
from tests.unit.svg_texts import texts_of

every_sample = pytest.mark.parametrize("name", SAMPLES)


def comparison() -> GrowthComparison:
    return GrowthComparison(
        first=sort_cpp(),
        second=pairs_py(),
        ratio=Band(low=0.02, mid=0.025, high=0.03),
        ratio_at_n=5000,
        growth="the second grows faster: times 1.8 for each doubling of n",
        crossover_n=300,
    )


def printed(blocks: Iterable[Block], width: int | None = None, *, ascii_only: bool = False) -> str:
    lines = terminal_lines(blocks, width=width, ascii_only=ascii_only)
    return "\n".join(map(plain, lines))


class Elements(HTMLParser):
    """The elements of a page, checked to be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "hr", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@every_sample
def test_json_holds_the_documented_keys(name: str) -> None:
    plain = json.loads(json.dumps(SAMPLES[name]().to_dict(), allow_nan=False))
    for part in ("time", "space"):
        assert {"class", "confidence", "runner_up", "terms"} <= set(plain[part])
    assert {"n", "cpu_ms", "memory_mib", "meets_time_limit", "meets_memory_limit"} <= set(
        plain["prediction"]
    )
    for item in plain["measurements"]:
        assert {"n", "m", "work", "cpu_ms", "wall_ms", "memory_mib"} <= set(item)
    assert isinstance(plain["flags"], list)
    assert isinstance(plain["method"], dict)


def test_json_names_the_class_of_each_term() -> None:
    plain = sort_cpp().to_dict()
    assert plain["time"]["class"] == "O(n log n)"
    assert plain["time"]["terms"][0] == {"class": "O(n log n)", "share": 0.62, "lines": [6]}
    assert plain["prediction"]["cpu_ms"] == {"low": 280, "mid": 331, "high": 560}
    assert plain["meets_limits"] is True
    assert pairs_py().to_dict()["meets_limits"] is False


def test_a_number_that_is_not_finite_is_null_in_json() -> None:
    report = sort_cpp()
    endless = report.prediction.model_copy(
        update={"cpu_ms": Band(low=1, mid=float("inf"), high=float("nan"))}
    )
    plain = report.model_copy(update={"prediction": endless}).to_dict()
    assert plain["prediction"]["cpu_ms"] == {"low": 1, "mid": None, "high": None}


def test_json_of_a_comparison_holds_both() -> None:
    plain = comparison().to_dict()
    assert plain["first"]["time"]["class"] == "O(n log n)"
    assert plain["second"]["meets_limits"] is False
    assert plain["crossover_n"] == 300


def test_the_terminal_says_what_a_person_wants_first() -> None:
    head, *rest = printed(view(sort_cpp(), name="sort.cpp")).splitlines()
    assert head.startswith("PASS  sort.cpp: Time O(n log n), memory O(n). Meets both limits")
    assert "O(n log n)  98 % sure, from counted work" in rest[0]
    shown = "\n".join(rest)
    assert "62 % of the work: n log n, line 6" in shown
    assert "331 ms  280–560 ms at n = 2,000,000, limit 1 s: PASS" in shown  # noqa: RUF001
    assert "16,912,363" in shown


def test_the_terminal_says_fail_and_unknown_and_unsure() -> None:
    assert "limit 2 s: FAIL" in printed(view(pairs_py()))
    assert "a run reached the time limit" in printed(view(pairs_py()))
    shown = printed(view(unsure()))
    assert "unsure: O(n) or O(n log n)  two classes fit about as well" in shown
    assert "limit 500 ms: unknown" in shown


@every_sample
@pytest.mark.parametrize("width", [24, 40, 60, 120])
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    shown = printed(view(SAMPLES[name]()), width=width)
    assert max(len(line) for line in shown.splitlines()) <= width


@every_sample
def test_a_terminal_of_ascii_gets_ascii(name: str) -> None:
    assert printed(view(SAMPLES[name](), name="program"), ascii_only=True).isascii()


def test_hostile_text_steers_no_terminal() -> None:
    for name in ("\x1b]0;title\x07", "\u202e"):
        shown = printed(view(hostile(), name=name))
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        assert "<script>" in shown
        assert "[bold]" in shown  # markup is text


def test_the_text_plot_marks_measurements_prediction_and_limit() -> None:
    shown = printed(view(sort_cpp()))
    assert all(mark in shown for mark in "●◆╌")
    plain_text = printed(view(sort_cpp()), ascii_only=True)
    assert "X" in plain_text
    assert "-----" in plain_text


def test_a_comparison_at_the_terminal() -> None:
    shown = printed(comparison_view(comparison(), ("a.cpp", "b.py")))
    assert "a.cpp is 40 times faster than b.py at n = 5,000 (33.3–50)" in shown  # noqa: RUF001
    assert "n = 300" in shown


@pytest.mark.parametrize("suffix", [".png", ".svg"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "two_parameters" else pytest.mark.exhaustive)
        for name in SAMPLES
    ],
)
def test_every_report_can_be_drawn(name: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"plot{suffix}"
    plot(SAMPLES[name](), path)
    data = path.read_bytes()
    if suffix == ".png":
        assert data.startswith(b"\x89PNG")
    else:
        assert ET.fromstring(data).tag.endswith("svg")


def test_the_picture_says_the_verdict_in_words(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    plot(pairs_py(), path)
    text = path.read_text()
    assert "Time O(n²), memory O(n). Will exceed the time limit at n = 20,000." in text
    assert "CPU time (ms)" in text
    assert "Peak memory (MiB)" in text
    assert "limit 2 s" in text


def test_a_picture_of_no_known_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png or \.svg"):
        plot(sort_cpp(), tmp_path / "plot.gif")
    with pytest.raises(UsageError, match="cannot be written"):
        plot(sort_cpp(), tmp_path / "absent" / "plot.png")


@pytest.mark.parametrize(("stop", "shown"), [("exited", False), ("cpu_limit", True)])
def test_a_table_of_sizes_without_a_figure_is_left_out(stop: str, shown: bool) -> None:
    sizes = tuple(Measurement(n=n, stop=StopReason(stop)) for n in (1, 2))
    report = nothing_measured().model_copy(update={"measurements": sizes})
    assert ("Measurements" in printed(view(report))) is shown


@every_sample
def test_a_page_is_well_formed_and_asks_for_nothing(name: str) -> None:
    text = page("</title><script>x</script>", view(SAMPLES[name](), source="a\n<b>\n" * 20))
    seen = Elements(text).seen
    assert not {"script", "link", "img", "iframe", "b"} & {tag for tag, _ in seen}
    assert not any(key in ("src", "href") or key.startswith("on") for _, at in seen for key in at)
    assert "url(" not in text
    assert "\x1b" not in text
    assert "prefers-color-scheme: dark" in text
    for tag, attributes in seen:
        if tag == "svg":
            assert "aria-hidden" in attributes or attributes["role"] == "img"
            assert "aria-hidden" in attributes or attributes["aria-label"]


def listing(report: ProfileReport, source: str) -> list[list[str]]:
    """The cells of the table of lines."""
    text = page("", view(report, source=source))
    table = text.partition("<h2>Where the work is done</h2>")[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub("<[^>]*>", "", cell).strip() for cell in row] for row in cells]


def test_a_page_lists_lines_by_their_share_of_all_work() -> None:
    rows = listing(sort_cpp(), "one\ntwo\nthree\nfour\n  five <i>&\n    six\n  seven\n")
    assert rows == [
        ["line", "share", "code", "grows as"],
        ["6", "55 %", "six", "O(n log n) 45 %, O(n) 10 %"],
        ["5", "28 %", "five &lt;i&gt;&amp;", "O(n)"],
        ["7", "12 %", "seven", "O(n)"],
        ["", "5 %", "other lines", ""],
    ]
    assert "Where the work is done" not in page("", view(sort_cpp()))


def test_lines_beyond_the_source_are_not_listed() -> None:
    assert [row[0] for row in listing(sort_cpp(), "1\n2\n3\n4\n5\n6")] == ["line", "6", "5", ""]
    assert listing(sort_cpp(), "one line") == []


@every_sample
def test_no_text_of_a_chart_is_cut_off_or_lies_on_another(name: str) -> None:
    for chart in charts_of(SAMPLES[name]()):
        drawn = svg_chart(chart)
        _, _, width, height = map(float, ET.fromstring(drawn).attrib["viewBox"].split())
        boxes = [text.box for text in texts_of(drawn)]
        for left, right, top, bottom in boxes:
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
        for (left, right, top, bottom), other in combinations(boxes, 2):
            assert left >= other[1] or other[0] >= right or top >= other[3] or other[2] >= bottom


def test_a_page_of_two_programs() -> None:
    text = page("both", comparison_view(comparison(), ("a<b", "c"), ("x\n" * 9, None)))
    Elements(text)
    assert "a&lt;b is 40 times faster than c" in text
    assert "Will exceed the time limit" in text


def test_the_curve_runs_through_the_measurements_to_the_prediction() -> None:
    chart = time_chart(sort_cpp())
    assert chart is not None
    line = chart.lines[0]
    assert line.xs[-1] == pytest.approx(2_000_000)
    assert line.ys[-1] == pytest.approx(331)
    (dots,) = chart.dots
    for x, y in zip(dots.xs, dots.ys, strict=True):
        nearest = min(zip(line.xs, line.ys, strict=True), key=lambda point: abs(point[0] - x))
        assert nearest[1] == pytest.approx(y, rel=0.3)


def ratios(report: ProfileReport) -> tuple[list[float], list[float]]:
    chart = charts_of(report)[-1]
    assert "÷" in chart.title
    own = list(chart.dots[0].ys)
    rival = list(chart.dots[1].ys) if len(chart.dots) > 1 else list(chart.lines[1].ys)
    return own, rival


@pytest.mark.parametrize("make", [sort_cpp, pairs_py, exponential, two_parameters, shortest_routes])
def test_work_over_the_right_class_is_flat_and_over_the_rival_is_not(make) -> None:
    own, rival = ratios(make())
    assert 0.95 < min(own) <= max(own) < 1.05
    assert max(rival) / min(rival) > 1.2


def test_the_line_of_the_right_class_is_flat_for_two_parameters() -> None:
    line = charts_of(shortest_routes())[-1].lines[0]
    assert line.ys == (1.0, 1.0)
    assert "O(m log n + n)" in line.label


def test_work_that_does_not_name_the_class_is_not_divided_by_it() -> None:
    report = sort_cpp()
    hidden = report.time.model_copy(update={"basis": "instructions", "terms": ()})
    assert charts_of(report.model_copy(update={"time": hidden}))[-1].title.startswith("Time ÷")


def test_only_the_default_m_is_joined_by_the_curve() -> None:
    chart = time_chart(two_parameters())
    assert chart is not None
    main, other = chart.dots
    assert (len(main.xs), len(other.xs)) == (4, 12)


def test_a_run_that_was_stopped_is_marked_apart() -> None:
    chart = time_chart(no_counts())
    assert chart is not None
    assert [dots.label for dots in chart.dots] == ["measured", "stopped at a limit"]
    assert chart.dots[1].xs == (1_000_000,)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("O(n^2 log n)", "O(n² log n)"),
        ("O(n sqrt n)", "O(n √n)"),
        ("O(2^n)", "O(2ⁿ)"),
        ("O(n*m)", "O(n·m)"),
        ("O(n log^2 n)", "O(n log² n)"),
    ],
)
def test_class_names_as_mathematics_writes_them(name: str, shown: str) -> None:
    assert class_name(name) == shown
    assert in_ascii(shown) == name


def test_figures_as_people_read_them() -> None:
    assert [milliseconds(x) for x in (0.4127, 12.04, 412.3, 999.9, 1250, 90_000, 7.2e6)] == [
        "0.41 ms",
        "12 ms",
        "412 ms",
        "1 s",
        "1.25 s",
        "1.5 min",
        "2 h",
    ]
    assert interval("380 ms", "520 ms") == "380–520 ms"  # noqa: RUF001
    assert interval("900 ms", "1.2 s") == "900 ms – 1.2 s"  # noqa: RUF001
    assert percent(0.999) == "over 99 %"
    assert percent(1.0) == "100 %"
