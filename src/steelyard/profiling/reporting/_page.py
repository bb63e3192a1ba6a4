"""A report as one self-contained HTML page."""

from collections.abc import Iterator
from html import escape

from steelyard.profiling.reporting._charts import charts_of
from steelyard.profiling.reporting._terminal import (
    comparison_lines,
    methods_of,
    notes_of,
)
from steelyard.profiling.reporting._words import (
    basis_in_words,
    class_name,
    estimate_in_words,
    has_figures,
    headline,
    limit_in_words,
    size,
    term_in_words,
    terms_shown,
)
from steelyard.rendering import (
    count,
    document,
    escaped,
    mebibytes,
    milliseconds,
    percent,
    svg_chart,
    visible,
)
from steelyard.schemas import ComplexityEstimate, GrowthComparison, LineWork, ProfileReport

STYLE = """
.PASS{color:var(--green);font-weight:700}.FAIL{color:var(--red);font-weight:700}
.unknown{font-weight:700}
.code th:nth-child(n+3),.code td:nth-child(n+3){text-align:left}
.code td:nth-child(3){white-space:pre;font-family:ui-monospace,monospace;font-size:.9rem}
@media(max-width:36rem){.code td:nth-child(3){white-space:pre-wrap;overflow-wrap:anywhere;
min-width:11rem}.code td{vertical-align:top}}
"""
_LONGEST_LINE = 200
_LINES_SHOWN = 12
_LEAST_REST = 0.005
_LEAST_PART = 0.1


def page(report: ProfileReport, *, title: str = "Profile", source: str | None = None) -> str:
    """Return a report as one HTML page: no scripts, no network, light or dark as the reader has it.

    Args:
        report: What to show.
        title: Of the page, such as the program's name.
        source: The program's text; its lines that do the work are shown where it is given.

    Returns:
        The page. Whatever came from the program or from files is escaped.
    """
    return document(title, sections(report, source), style=STYLE)


def comparison_page(
    comparison: GrowthComparison,
    *,
    titles: tuple[str, str] = ("first", "second"),
    sources: tuple[str | None, str | None] = (None, None),
) -> str:
    """Two programs over the same inputs, as `page` shows one."""
    title = f"{titles[0]} and {titles[1]}"
    body = [f"<p>{escaped(line)}</p>" for line in comparison_lines(comparison, titles)]
    both = (comparison.first, comparison.second)
    for name, report, source in zip(titles, both, sources, strict=True):
        body.append(f'<hr><p class="quiet">{escaped(name)}</p>')
        body.extend(sections(report, source))
    return document(title, body, style=STYLE)


def sections(report: ProfileReport, source: str | None = None) -> Iterator[str]:
    """Yield the parts of a report as HTML, in which whatever came from outside is escaped."""
    yield f"<h1>{escaped(headline(report))}</h1>"
    yield f'<div class="cards">{"".join(_cards(report))}</div>'
    for note in notes_of(report):
        yield f'<p class="note">{escaped(note)}</p>'
    charts = charts_of(report)
    if charts:
        yield '<h2>Growth</h2><div class="charts">'
        for chart in charts:
            yield f"<figure><h3>{escaped(chart.title)}</h3>{svg_chart(chart)}</figure>"
        yield "</div>"
    if source is not None:
        yield from _listing(report, source)
    if has_figures(report):
        yield "<h2>Measurements</h2>"
        yield from _table(report)
    methods = "".join(
        f"<dt>{escaped(name)}</dt><dd>{escaped(text)}</dd>" for name, text in methods_of(report)
    )
    if methods:
        yield f"<h2>How it was measured</h2><dl>{methods}</dl>"


def _cards(report: ProfileReport) -> Iterator[str]:
    yield _estimate_card("Time", report.time)
    yield _estimate_card("Memory", report.space)
    predicted = report.prediction
    at = size(predicted.n, predicted.m)
    verb = "Measured" if predicted.measured else "Predicted"
    for what, band, limit, meets, write in (
        (
            "CPU time",
            predicted.cpu_ms,
            report.time_limit_ms,
            predicted.meets_time_limit,
            milliseconds,
        ),
        (
            "memory",
            predicted.memory_mib,
            report.memory_limit_mib,
            predicted.meets_memory_limit,
            mebibytes,
        ),
    ):
        parts = [f'<p class="quiet">{verb} {what} at {escaped(at)}</p>']
        parts.append(f'<p class="big">{escaped(write(band.mid) if band else "unknown")}</p>')
        if band:
            between = f"{write(band.low)} to {write(band.high)}"
            parts.append(f"<p>{escaped(between)}</p>")
        if limit is not None:
            verdict = limit_in_words(meets, given=True)
            parts.append(
                f'<p>limit {escaped(write(limit))}: <span class="{verdict}">{verdict}</span></p>'
            )
        yield f'<div class="card">{"".join(parts)}</div>'


def _estimate_card(what: str, estimate: ComplexityEstimate) -> str:
    parts = [
        f'<p class="quiet">{what}</p>',
        f'<p class="big">{escaped(estimate_in_words(estimate))}</p>',
    ]
    parts.append(f"<p>{escaped(basis_in_words(estimate))}</p>")
    if estimate.runner_up and not estimate.unsure:
        parts.append(
            f'<p class="quiet">next likeliest: {escaped(class_name(estimate.runner_up))}</p>'
        )
    terms = "".join(
        f"<li>{escaped(term_in_words(term))}</li>" for term in terms_shown(estimate.terms)
    )
    if terms:
        parts.append(f"<ul>{terms}</ul>")
    return f'<div class="card">{"".join(parts)}</div>'


def _listing(report: ProfileReport, source: str) -> Iterator[str]:
    code = source.split("\n")
    known = [each for each in report.work_by_line if 1 <= each.line <= len(code)]
    known.sort(key=lambda each: -each.share)
    shown = known[:_LINES_SHOWN]
    if not shown:
        return
    yield "<h2>Where the work is done</h2>"
    yield '<div class="scroll" tabindex="0"><table class="code"><thead><tr>'
    yield '<th scope="col">line</th><th scope="col">share</th><th scope="col">code</th>'
    yield '<th scope="col">grows as</th></tr></thead><tbody>'
    for each in shown:
        text = _code(code[each.line - 1])
        yield (
            f"<tr><td>{each.line}</td>"
            f'<td class="heat" style="--hot:{100 * min(max(each.share, 0.0), 1.0):.1f}%">'
            f"{percent(each.share)}</td>"
            f"<td>{escape(text)}</td><td>{escaped(_classes(each))}</td></tr>"
        )
    rest = 1 - sum(each.share for each in shown)
    if rest >= _LEAST_REST:
        yield f'<tr><td></td><td>{percent(rest)}</td><td class="quiet">other lines</td>'
        yield "<td></td></tr>"
    yield "</tbody></table></div>"


def _classes(work: LineWork) -> str:
    """`O(n)`, or `O(n log n) 17 %, O(n) 9 %` if no class has nearly all of the line's work."""
    heavy = [each for each in work.classes if each[1] >= _LEAST_PART * work.share]
    if len(heavy) == 1:
        return class_name(heavy[0][0])
    return ", ".join(f"{class_name(name)} {percent(share)}" for name, share in heavy)


def _code(line: str) -> str:
    """Return a source line without its indentation, printable and cut to a readable length."""
    text = visible(line.strip())
    return text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]} ..."


def _table(report: ProfileReport) -> Iterator[str]:
    columns = ["n", *(["m"] if len(report.parameters) > 1 else [])]
    columns += ["work", "CPU ms", "wall ms", "MiB"]
    columns += ["ended"] if any(item.stop != "exited" for item in report.measurements) else []
    yield '<div class="scroll" tabindex="0"><table><thead><tr>'
    yield "".join(f'<th scope="col">{column}</th>' for column in columns)
    yield "</tr></thead><tbody>"
    for item in report.measurements:
        cells = [count(item.n)]
        if "m" in columns:
            cells.append("" if item.m is None else count(item.m))
        cells.append("" if item.work is None else count(item.work))
        figures = (item.cpu_ms, item.wall_ms, item.memory_mib)
        cells += ["" if value is None else f"{value:,.1f}" for value in figures]
        if "ended" in columns:
            cells.append(item.stop.value.replace("_", " "))
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    yield "</tbody></table></div>"
