"""A report as one self-contained HTML page."""

from collections.abc import Iterable, Iterator
from html import escape

from assayer.profiling.reporting._charts import charts_of
from assayer.profiling.reporting._svg import svg
from assayer.profiling.reporting._terminal import (
    comparison_lines,
    methods_of,
    notes_of,
)
from assayer.profiling.reporting._words import (
    basis_in_words,
    class_name,
    count,
    estimate_in_words,
    headline,
    limit_in_words,
    mebibytes,
    milliseconds,
    size,
    term_in_words,
    terms_shown,
    visible,
)
from assayer.schemas import ComplexityEstimate, GrowthComparison, ProfileReport

__all__ = ["comparison_page", "page"]

_STYLE = """
:root{color-scheme:light dark;--ink:#1c1f23;--quiet:#5d6670;--ground:#fff;--card:#f5f6f8;
--rule:#dfe3e7;--blue:#0072b2;--red:#b34a00;--plum:#7a3b69;--grey:#7d858d;--green:#00704f}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a3abb4;--ground:#14171a;
--card:#1e2226;--rule:#33393f;--blue:#56b4e9;--red:#f08a4b;--plum:#d59bc4;--grey:#98a1aa;
--green:#3cc79a}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:82rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.3;margin:.2rem 0 1rem}h2{font-size:1.05rem;margin:2rem 0 .6rem}
h3{font-size:.95rem;margin:0 0 .3rem;font-weight:600}
.quiet{color:var(--quiet)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:.8rem}
.card{background:var(--card);border-radius:.5rem;padding:.8rem 1rem}
.big{font-size:1.45rem;font-weight:650;overflow-wrap:anywhere}
.card p{margin:.1rem 0}.card ul{margin:.3rem 0 0;padding-left:1.1rem}
.PASS{color:var(--green);font-weight:700}.FAIL{color:var(--red);font-weight:700}
.unknown{font-weight:700}
.note{border-left:.25rem solid var(--red);padding:.2rem .8rem;margin:.5rem 0;overflow-wrap:anywhere}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:1rem}
figure{margin:0;background:var(--card);border-radius:.5rem;padding:.8rem}
svg{width:100%;height:auto;display:block;font:11px system-ui,sans-serif}
.grid{stroke:var(--rule);stroke-width:.8}.tick{fill:var(--quiet)}.key{fill:var(--ink)}
.fit,.rival{fill:none;stroke-width:1.8}.fit{stroke:var(--blue)}
.rival{stroke:var(--grey);stroke-dasharray:5 4}
.dot{fill:var(--blue)}.ring{fill:none;stroke:var(--grey);stroke-width:1.3}
.band{fill:var(--blue);opacity:.18}
.end{stroke:var(--quiet);stroke-dasharray:1.5 3}
.limit{stroke:var(--red);stroke-width:1.6}.limit-label{fill:var(--red)}
.target{stroke:var(--plum);stroke-width:3.5}.mark{fill:var(--plum)}
.target-label{fill:var(--plum);paint-order:stroke;stroke:var(--card);stroke-width:3px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th{color:var(--quiet);font-weight:600}
.code th:nth-child(n+2){text-align:left}
.code td{text-align:left;white-space:pre;font-family:ui-monospace,monospace;font-size:.9rem}
.code td:first-child{text-align:right}.code td:nth-child(2){font-family:inherit}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
"""
_LONGEST_LINE = 200
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: ProfileReport, *, title: str = "Profile", source: str | None = None) -> str:
    """A report as one HTML page: no scripts, no network, light or dark as the reader has it.

    Args:
        report: What to show.
        title: Of the page, such as the program's name.
        source: The program's text; its lines that do the work are shown where it is given.

    Returns:
        The page. Whatever came from the program or from files is escaped.
    """
    return _document(title, _sections(report, source))


def comparison_page(
    comparison: GrowthComparison,
    *,
    titles: tuple[str, str] = ("first", "second"),
    sources: tuple[str | None, str | None] = (None, None),
) -> str:
    """Two programs over the same inputs, as `page` shows one."""
    title = f"{titles[0]} and {titles[1]}"
    body = [f"<p>{_e(line)}</p>" for line in comparison_lines(comparison, titles)]
    both = (comparison.first, comparison.second)
    for name, report, source in zip(titles, both, sources, strict=True):
        body.append(f'<hr><p class="quiet">{_e(name)}</p>')
        body.extend(_sections(report, source))
    return _document(title, body)


def _document(title: str, body: Iterable[str]) -> str:
    lines = (
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{_e(title)}</title><style>{_STYLE}</style></head><body><main>",
        f'<p class="quiet">{_e(title)}</p>',
        *body,
        "</main></body></html>",
    )
    return "\n".join(lines) + "\n"


def _sections(report: ProfileReport, source: str | None) -> Iterator[str]:
    yield f"<h1>{_e(headline(report))}</h1>"
    yield f'<div class="cards">{"".join(_cards(report))}</div>'
    for note in notes_of(report):
        yield f'<p class="note">{_e(note)}</p>'
    charts = charts_of(report)
    if charts:
        yield '<h2>Growth</h2><div class="charts">'
        for chart in charts:
            yield f"<figure><h3>{_e(chart.title)}</h3>{svg(chart)}</figure>"
        yield "</div>"
    if source is not None and any(term.lines for term in report.time.terms):
        yield "<h2>Where the work is done</h2>"
        yield from _listing(report, source)
    if report.measurements:
        yield "<h2>Measurements</h2>"
        yield from _table(report)
    methods = "".join(
        f"<dt>{_e(name)}</dt><dd>{_e(said)}</dd>" for name, said in methods_of(report)
    )
    if methods:
        yield f"<h2>How it was measured</h2><dl>{methods}</dl>"


def _e(text: str) -> str:
    return escape(visible(text))


def _cards(report: ProfileReport) -> Iterator[str]:
    yield _estimate_card("Time", report.time)
    yield _estimate_card("Memory", report.space)
    predicted = report.prediction
    at = size(predicted.n, predicted.m)
    verb = "Measured" if predicted.measured else "Predicted"
    for what, band, limit, meets, write in (
        (
            "CPU time", predicted.cpu_ms, report.time_limit_ms, predicted.meets_time_limit,
            milliseconds,
        ),
        (
            "memory", predicted.memory_mib, report.memory_limit_mib, predicted.meets_memory_limit,
            mebibytes,
        ),
    ):  # fmt: skip
        parts = [f'<p class="quiet">{verb} {what} at {_e(at)}</p>']
        parts.append(f'<p class="big">{_e(write(band.mid) if band else "cannot be told")}</p>')
        if band:
            between = f"{write(band.low)} to {write(band.high)}"
            parts.append(f"<p>{_e(between)}</p>")
        if limit is not None:
            verdict = limit_in_words(meets, given=True)
            parts.append(
                f'<p>limit {_e(write(limit))}: <span class="{verdict}">{verdict}</span></p>'
            )
        yield f'<div class="card">{"".join(parts)}</div>'


def _estimate_card(what: str, estimate: ComplexityEstimate) -> str:
    parts = [
        f'<p class="quiet">{what}</p>',
        f'<p class="big">{_e(estimate_in_words(estimate))}</p>',
    ]
    parts.append(f"<p>{_e(basis_in_words(estimate))}</p>")
    if estimate.runner_up and not estimate.unsure:
        parts.append(f'<p class="quiet">next likeliest: {_e(class_name(estimate.runner_up))}</p>')
    terms = "".join(f"<li>{_e(term_in_words(term))}</li>" for term in terms_shown(estimate.terms))
    if terms:
        parts.append(f"<ul>{terms}</ul>")
    return f'<div class="card">{"".join(parts)}</div>'


def _listing(report: ProfileReport, source: str) -> Iterator[str]:
    code = source.splitlines()
    grows = {
        number: class_name(term.complexity)
        for term in reversed(terms_shown(report.time.terms))
        for number in term.lines
        if 1 <= number <= len(code)
    }
    yield '<div class="scroll"><table class="code"><thead><tr><th scope="col">line</th>'
    yield '<th scope="col">grows as</th><th scope="col">code</th></tr></thead><tbody>'
    for number, name in sorted(grows.items()):
        text = visible(code[number - 1].expandtabs(4))
        shown = text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]} ..."
        yield f"<tr><td>{number}</td><td>{_e(name)}</td><td>{escape(shown)}</td></tr>"
    yield "</tbody></table></div>"


def _table(report: ProfileReport) -> Iterator[str]:
    columns = ["n", *(["m"] if len(report.parameters) > 1 else [])]
    columns += ["work", "CPU ms", "wall ms", "MiB", "ended"]
    yield '<div class="scroll"><table><thead><tr>'
    yield "".join(f'<th scope="col">{column}</th>' for column in columns)
    yield "</tr></thead><tbody>"
    for item in report.measurements:
        cells = [count(item.n)]
        if "m" in columns:
            cells.append("" if item.m is None else count(item.m))
        cells.append("" if item.work is None else count(item.work))
        figures = (item.cpu_ms, item.wall_ms, item.memory_mib)
        cells += ["" if value is None else f"{value:,.1f}" for value in figures]
        cells.append(item.stop.value.replace("_", " "))
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    yield "</tbody></table></div>"
