"""The charts of a report."""

from steelyard.profiling.reporting._growth_chart import memory_chart, time_chart
from steelyard.profiling.reporting._ratio_chart import ratio_chart
from steelyard.rendering import Chart
from steelyard.schemas import ProfileReport


def charts_of(report: ProfileReport) -> tuple[Chart, ...]:
    """Return the charts that a report has figures for: time, memory, work over f(n)."""
    charts = (time_chart(report), memory_chart(report), ratio_chart(report))
    return tuple(chart for chart in charts if chart is not None)
