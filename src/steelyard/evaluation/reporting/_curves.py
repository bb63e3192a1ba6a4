"""Runtime curves by complexity class, drawn by plotnine (the extra `plots`)."""

import io
import re
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from steelyard.evaluation._tallies import Tally

_MOST_CLASSES = 12
_UNKNOWN = "class not stated"
_OTHERS = " other classes"
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def plotnine_is_installed() -> bool:
    """Return True if curves can be drawn."""
    return find_spec("plotnine") is not None


def curve_rows(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Return one row for each size of each accepted program; many classes are put together."""
    rows = [
        {
            "class": tally.line.time_complexity or _UNKNOWN,
            "program": f"{tally.line.task} {sample.seed} {sample.sample}",
            "size": max(point.size, 1.0),
            "cpu_ms": max(point.cpu_ms, 0.01),
        }
        for tally in tallies
        for sample in tally.samples
        if len(sample.curve) > 1
        for point in sample.curve
    ]
    classes = sorted({str(row["class"]) for row in rows}, key=_growth)
    if len(classes) > _MOST_CLASSES:
        others = set(classes[_MOST_CLASSES - 1 :])
        name = f"{len(others)}{_OTHERS}"
        rows = [row | {"class": name} if row["class"] in others else row for row in rows]
    return rows


def draw_curves(tallies: Sequence[Tally]) -> str:
    """Return the curves as SVG text, one panel for each class; empty without two sizes."""
    rows = curve_rows(tallies)
    if not rows:
        return ""
    import matplotlib as mpl  # noqa: PLC0415  (an extra)
    import pandas as pd  # noqa: PLC0415

    p9: Any = import_module("plotnine")  # its functions are not typed
    frame = pd.DataFrame(rows)
    classes = sorted(frame["class"].unique(), key=_growth)
    frame["class"] = pd.Categorical(frame["class"], categories=classes, ordered=True)
    # Matplotlib reads text between two dollar signs as a formula, and fails if it is none.
    frame["class"] = frame["class"].cat.rename_categories(lambda name: name.replace("$", r"\$"))
    columns = min(3, len(classes))
    height = 0.6 + 2.6 * -(-len(classes) // columns)
    plot = (
        p9.ggplot(frame, p9.aes("size", "cpu_ms", group="program"))
        + p9.geom_line(color="#0072b2", alpha=0.45, size=0.6)
        + p9.geom_point(color="#0072b2", alpha=0.6, size=0.8)
        + p9.scale_x_log10()
        + p9.scale_y_log10()
        + p9.facet_wrap("class", ncol=columns)
        + p9.labs(x="size of the input", y="CPU time of the slowest case, ms")
        + p9.theme_minimal(base_size=10)
        + p9.theme(figure_size=(3.6 * columns, height))
    )
    file = io.BytesIO()
    # Without a date and with a fixed salt, equal figures give equal text.
    with mpl.rc_context({"svg.hashsalt": "steelyard", "svg.fonttype": "path"}):
        plot.save(file, format="svg", verbose=False, metadata={"Date": None})
    svg = _METADATA.sub("", _HEAD.sub("", file.getvalue().decode()))
    return re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)


def _growth(name: str) -> tuple[int, str]:
    """Return the order of a class: from constant to exponential, and what is put together last."""
    order = ("O(1)", "O(log n)", "O(sqrt n)", "O(n)", "O(n log n)", "O(n^2)", "O(n^3)", "O(2^n)")
    if name in order:
        return (order.index(name), name)
    return (len(order) + name.endswith(_OTHERS), name)
