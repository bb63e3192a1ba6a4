"""Draw charts as a picture, by matplotlib."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard._installation import install_command
from steelyard.errors import UsageError
from steelyard.reports._chart import Axis, Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# From the palette of Okabe and Ito, which people of every colour vision can tell apart.
_MEASURED, _LIMIT, _TARGET, _RIVAL = "#0072B2", "#D55E00", "#7A3B69", "#8A8A8A"
_INK, _QUIET = "#222222", "#666666"
_SUFFIXES = (".png", ".svg")
_PANEL_INCHES, _PANEL_HEIGHT_INCHES, _MARGIN_INCHES = 4.7, 3.75, 0.16
_POINTS_PER_INCH, _DPI = 72, 150
_TITLE_SIZE, _TEXT_SIZE = 14.0, 9.5
_CHAR_WIDTH, _LINE_HEIGHT = 0.62, 1.5  # in sizes of the text; fonts differ, so on the large side


def draw(charts: Sequence[Chart], path: str | Path, *, title: str, text: str = "") -> None:
    """Draw charts next to each other.

    Args:
        charts: What to draw.
        path: The file; its name ends in .png or .svg.
        title: The result in one sentence.
        text: What it rests on.

    Raises:
        UsageError: for another ending, a path that cannot be written, or if matplotlib is not
            installed.
    """
    path = Path(path)
    if path.suffix.lower() not in _SUFFIXES:
        raise UsageError(f"{path} cannot be drawn; give a name that ends in .png or .svg")
    try:
        import matplotlib as mpl  # an optional extra  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(f"plots need matplotlib; run: {install_command('plots')}") from error

    # Text stays text in an SVG; equal charts give equal files; $ does not start a formula.
    with mpl.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": "steelyard", "text.parse_math": False}
    ):
        try:
            metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
            picture = drawn(charts, title=title, text=text)
            picture.savefig(path, dpi=_DPI, facecolor="white", metadata=metadata)
        except OSError as error:
            raise UsageError(
                f"{path} cannot be written: {error.strerror}; name another file"
            ) from error


def drawn(charts: Sequence[Chart], *, title: str, text: str = "") -> "Figure":
    """Return the picture: the title and the text on top, below them a panel for each chart."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    width = max(2, len(charts)) * _PANEL_INCHES
    heads = [(line, _TITLE_SIZE, "bold", _INK) for line in _lines(title, _TITLE_SIZE, width)]
    heads += [(line, _TEXT_SIZE, "normal", _QUIET) for line in _lines(text, _TEXT_SIZE, width)]
    head_inches = sum(size for _, size, _, _ in heads) * _LINE_HEIGHT / _POINTS_PER_INCH
    height = head_inches + 2 * _MARGIN_INCHES + _PANEL_HEIGHT_INCHES
    figure = Figure(figsize=(width, height), layout="constrained", dpi=_DPI)
    y = _MARGIN_INCHES  # from the top
    for line, size, weight, colour in heads:
        x_share, y_share = _MARGIN_INCHES / width, 1 - y / height
        figure.text(x_share, y_share, line, va="top", size=size, weight=weight, color=colour)
        y += size * _LINE_HEIGHT / _POINTS_PER_INCH
    figure.get_layout_engine().set(  # type: ignore[union-attr]
        rect=(0.1 / width, 0.1 / height, 1 - 0.25 / width, _PANEL_HEIGHT_INCHES / height),
        wspace=0.05,
    )  # type: ignore[call-arg]
    panels = figure.subplots(1, len(charts), squeeze=False)[0] if charts else ()
    for axes, chart in zip(panels, charts, strict=True):
        _draw(axes, chart)
    return figure


def _lines(text: str, size: float, width: float) -> list[str]:
    """Return a text in lines that fit the width in inches."""
    inches = size * _CHAR_WIDTH / _POINTS_PER_INCH
    return textwrap.wrap(text, int((width - 2 * _MARGIN_INCHES) / inches))


def _draw(axes: "Axes", chart: Chart) -> None:
    axes.set_title(chart.title, loc="left", size=11, color=_INK)
    _scale(axes, chart)
    if chart.n_max is not None:
        axes.axvline(chart.n_max, color=_QUIET, lw=0.8, ls=":")
        axes.annotate(
            "n max",
            (chart.n_max, 0),
            xycoords=("data", "axes fraction"),
            xytext=(-3, 4),
            textcoords="offset points",
            size=8,
            color=_QUIET,
            ha="right",
        )
    if chart.limit is not None:
        axes.axhline(chart.limit, color=_LIMIT, lw=1.4)
        axes.annotate(
            chart.limit_label,
            (0, chart.limit),
            xycoords=("axes fraction", "data"),
            xytext=(4, 3),
            textcoords="offset points",
            size=9,
            color=_LIMIT,
        )
    if chart.band is not None:
        axes.fill_between(*chart.band, color=_MEASURED, alpha=0.16, lw=0)
    for line in chart.lines:
        axes.plot(
            line.xs,
            line.ys,
            color=_RIVAL if line.rival else _MEASURED,
            lw=1.4,
            ls="--" if line.rival else "-",
            label=line.label,
            marker="o" if line.rival else "",
            ms=3,
            zorder=2 if line.rival else 3,
        )
    labelled = {line.label for line in chart.lines}
    for dots in chart.dots:
        axes.plot(
            dots.xs,
            dots.ys,
            "o",
            ms=5.5,
            zorder=4 if dots.main else 2,
            color=_MEASURED if dots.main else _RIVAL,
            mfc=_MEASURED if dots.main else "none",
            label="_" if dots.label in labelled else dots.label,
        )
        if dots.highs:
            axes.vlines(dots.xs, dots.ys, dots.highs, color=_MEASURED, lw=1.2, zorder=3)
    _draw_target(axes, chart)
    if chart.lines or len(chart.dots) > 1:  # below the axes, where it hides no figure
        axes.legend(
            loc="upper left",
            bbox_to_anchor=(-0.02, -0.13),
            ncols=3,
            frameon=False,
            fontsize=8.5,
            labelcolor=_INK,
            borderaxespad=0,
            columnspacing=1.4,
            handlelength=1.8,
        )


def _draw_target(axes: "Axes", chart: Chart) -> None:
    from matplotlib.patheffects import withStroke  # noqa: PLC0415

    target = chart.target
    if target is None:
        return
    axes.vlines(target.x, target.low, target.high, color=_TARGET, lw=3, alpha=0.85, zorder=5)
    axes.plot([target.x], [target.mid], "D", ms=6.5, color=_TARGET, mec="white", zorder=6)
    axes.annotate(
        target.label,
        (target.x, target.high),
        xytext=(2, 5),
        textcoords="offset points",
        size=9,
        color=_TARGET,
        ha="right",
        va="bottom",
        zorder=7,
        path_effects=[withStroke(linewidth=3, foreground="white")],
    )


def _scale(axes: "Axes", chart: Chart) -> None:
    for axis, scale, limits, part in (
        (chart.x, axes.set_xscale, axes.set_xlim, axes.xaxis),
        (chart.y, axes.set_yscale, axes.set_ylim, axes.yaxis),
    ):
        scale("log" if axis.log else "linear")
        limits(axis.low, axis.high)
        part.set_ticks(*_ticks(axis))
        part.set_ticks([], minor=True)
        part.set_label_text(axis.label, color=_QUIET)
    axes.grid(visible=True, color="#E6E6E6", lw=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_QUIET, labelsize=8.5, length=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#BBBBBB")


def _ticks(axis: Axis) -> tuple[list[float], list[str]]:
    return [value for value, _ in axis.ticks], [text for _, text in axis.ticks]
