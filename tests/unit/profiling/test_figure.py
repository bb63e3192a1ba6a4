"""All text of a picture lies within it, and no text lies on another."""

from itertools import combinations

import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure
from matplotlib.text import Text

from steelyard.profiling import headline
from steelyard.profiling._charts import _findings, charts_of
from steelyard.reports._picture import drawn
from steelyard.schemas import ProfileReport, Term
from tests.unit.profiling.sample_reports import SAMPLES, shortest_routes


def wordy() -> ProfileReport:
    """With more to say than one line has room for."""
    report = shortest_routes()
    names = ("O(m log n)", "O(n)")
    terms = tuple(Term(complexity=name, share=0.5, lines=(1111, 2222, 3333)) for name in names)
    estimate = report.time.model_copy(update={"terms": terms})
    limits = {"time_limit_ms": 1000.0, "memory_limit_mib": 64.0}
    reason = {"complexity": "unsure", "reason": "two classes fit about as well " * 12}
    return report.model_copy(
        update={"time": estimate.model_copy(update=reason), **limits, "base_cpu_ms": 1.0}
    )


def picture_of(report: ProfileReport) -> Figure:
    return drawn(charts_of(report), title=headline(report), text=_findings(report))


WORDIEST = ("wordy", "two_parameters", "sort_cpp")
"""The reports with most to say; to draw one takes half a second."""


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(
            make,
            id=make.__name__,
            marks=() if make.__name__ in WORDIEST else pytest.mark.exhaustive,
        )
        for make in (*SAMPLES.values(), wordy)
    ],
)
def test_every_text_is_seen_whole(make) -> None:
    figure = picture_of(make())
    figure.draw_without_rendering()
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    assert len(texts) >= 2
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    for name, box in boxes:
        assert 0 <= box.x0 < box.x1 <= figure.bbox.x1, name
        assert 0 <= box.y0 < box.y1 <= figure.bbox.y1, name
    for (name, box), (other, its_box) in combinations(boxes, 2):
        across = min(box.x1, its_box.x1) - max(box.x0, its_box.x0)
        down = min(box.y1, its_box.y1) - max(box.y0, its_box.y0)
        assert across <= 1 or down <= 1, (name, other)


def test_what_does_not_fit_on_one_line_is_wrapped() -> None:
    assert len(picture_of(wordy()).texts) > len(picture_of(shortest_routes()).texts)
    whole = " ".join(text.get_text() for text in picture_of(wordy()).texts)
    assert "3333" in whole
    assert "3.67" in whole
