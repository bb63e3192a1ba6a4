"""An axis shows all of its range, with a handful of labels in order."""

import pytest

from steelyard.reports import log_axis, rounded_out, size_axis


@pytest.mark.parametrize(("low", "high"), [(1, 2), (10, 37), (16, 2_000_000), (5, 5), (1, 1e18)])
def test_an_axis_of_sizes_has_room_and_ordered_ticks(low: float, high: float) -> None:
    axis = size_axis(low, high)
    places = [axis.place(value) for value, _ in axis.ticks]
    assert axis.low < low <= high < axis.high
    assert 1 <= len(places) <= 12
    assert places == sorted(places)
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)


def test_labels_are_short() -> None:
    assert [text for _, text in log_axis("ms", 0.5, 2e7).ticks][-2:] == ["10,000", "1 M"]
    assert (1.0, "1") in log_axis("ms", 0.5, 20).ticks


def test_a_range_spans_a_factor_of_ten() -> None:
    low, high = rounded_out(3, 3)
    assert low < 3 < high
    assert high / low == pytest.approx(10)
