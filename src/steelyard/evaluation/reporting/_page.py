"""The report as one self-contained HTML page. All that comes from outside is escaped here."""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from steelyard.evaluation._report import Tally
from steelyard.evaluation.reporting._text import (
    METRIC_HEADINGS,
    MONTH_HEADINGS,
    by_frequency,
    defined,
    figure,
    interval,
    metric_row,
    month_row,
    origin_line,
    strength_line,
    undefined_line,
    verdicts_line,
    warnings,
    window_line,
)
from steelyard.reports import counted, document, escaped, visible_lines
from steelyard.schemas import (
    EvaluatedSample,
    EvaluationReport,
    MonthScore,
    TaskScore,
    Verdict,
)

ProgramOf = Callable[[EvaluatedSample], str]
_MOST_CHARS = 4_000_000
"""Characters of all samples that the page shows; all are in the record."""
_MOST_TEXT = 20_000
"""Characters of one text of a sample."""
_MOST_TASKS = 5_000
_MOST_FAULTS = 200
_CARDS = 4
_EMPTY_CELL = re.compile(r"<td[^>]*></td>")
_TASK_HEADINGS = (
    "task",
    "passed",
    "samples",
    "pass rate",
    "verdicts",
    "within time",
    "within memory",
    "fastest ms",
    "cases",
    "mutants killed",
    "complexity",
    "difficulty",
    "published",
)


def page_of(
    report: EvaluationReport, tallies: Sequence[Tally], curves: str, program: ProgramOf
) -> str:
    """Return the page.

    Args:
        report: The figures.
        tallies: The samples behind them.
        curves: The runtime curves as SVG; empty without.
        program: Returns the text of a sample's program.
    """
    return document(
        f"Evaluation of {report.benchmark}",
        _body(report, tallies, curves, program),
        style=STYLE,
        script=SCRIPT,
    )


def _body(
    report: EvaluationReport, tallies: Sequence[Tally], curves: str, program: ProgramOf
) -> Iterator[str]:
    yield (
        f"<h1>{escaped(report.benchmark)}: {report.passes:,} of {report.samples:,} samples pass"
        f"</h1><p class=lead>{report.size}, "
        f"{counted(report.executions, 'execution')}. "
        f"Programs: {escaped(origin_line(report))}.</p>"
    )
    yield from (f'<p class="note">{escaped(line)}</p>' for line in warnings(report))
    yield '<div class="cards">'
    for metric in [each for each in report.metrics if each.value is not None][:_CARDS]:
        yield (
            f'<div class="card"><p class="quiet">{escaped(metric.label)}</p>'
            f'<p class="big">{escaped(figure(metric, metric.value))}</p>'
            f"<p>{escaped(interval(metric))}</p><p>{escaped(metric.basis)}</p></div>"
        )
    yield "</div>"
    yield _verdict_bar(report.verdicts)
    yield _table(
        "Metrics",
        METRIC_HEADINGS,
        ([_cell(text) for text in metric_row(m)] for m in defined(report)),
    )
    if undefined_line(report):
        yield f'<p class="quiet">{escaped(undefined_line(report))}</p>'
    yield "<h2>What a pass is worth</h2>"
    yield f"<p>{escaped(strength_line(report))}.</p>"
    if report.months:
        months = map(_month_cells, report.months)
        yield _table("pass@1 by month of publication", (*MONTH_HEADINGS, ""), months)
    if curves:
        yield f'<h2>Runtime by size of the input</h2><figure class="curves">{curves}</figure>'
    numbers = {tally.line.task: number for number, tally in enumerate(tallies)}
    sections = _sections(tallies, program)
    yield _task_table(report.scores[:_MOST_TASKS], {name: numbers[name] for name in sections})
    if len(report.scores) > _MOST_TASKS:
        left = counted(len(report.scores) - _MOST_TASKS, "task")
        yield f'<p class="quiet">and {left} more, in tasks.csv</p>'
    if sections:
        yield "<h2>Samples</h2>"
        yield from sections.values()
        if len(sections) < report.tasks:
            left = counted(report.tasks - len(sections), "task")
            yield f'<p class="quiet">and the samples of {left} more, in the record</p>'
    left_out = f"Left out: {report.fault_count:,}"
    for title, texts in (("Notes", report.notes), (left_out, report.faults[:_MOST_FAULTS])):
        if texts:
            yield f"<h2>{title}</h2><ul class=notes>"
            yield from (f"<li>{escaped(text)}</li>" for text in texts)
            yield "</ul>"
    yield "<h2>How it was measured</h2><dl>"
    for name, text in (
        ("data", f"version {report.version}, {window_line(report)}"),
        ("isolation", str(report.isolation) if report.isolation else "no program was run"),
        ("record", report.folder),
        ("duration", f"{report.seconds:.0f} s in the last run"),
        ("intervals", "95 %, bootstrap over groups of tasks; Wilson's if all samples agree"),
    ):
        yield f"<dt>{name}</dt><dd>{escaped(text)}</dd>"
    yield "</dl>"


def _verdict_bar(verdicts: dict[Verdict, int]) -> str:
    total = sum(verdicts.values())
    if not total:
        return ""
    ordered = by_frequency(verdicts)
    parts = "".join(
        f'<span class="v {name}" style="flex-grow:{count}" title="{name}: {count:,}"></span>'
        for name, count in ordered
    )
    keys = "".join(
        f'<li><span class="v {name}"></span>{name} {count:,}</li>' for name, count in ordered
    )
    return (
        f'<h2>Verdicts</h2><div class="bar" role="img" aria-label="Verdicts">{parts}</div>'
        f'<ul class="keys">{keys}</ul>'
    )


def _task_table(scores: Sequence[TaskScore], links: Mapping[str, int]) -> str:
    """Return the table of tasks, without columns that hold nothing.

    Args:
        scores: The tasks.
        links: The number of the section of each task that has one.
    """
    rows = [_task_cells(score, links.get(score.task)) for score in scores]
    filled = [
        index
        for index in range(len(_TASK_HEADINGS))
        if not all(_EMPTY_CELL.fullmatch(row[index]) for row in rows)
    ]
    return _table(
        "Tasks",
        [_TASK_HEADINGS[index] for index in filled],
        ([row[index] for index in filled] for row in rows),
        sortable=True,
    )


def _task_cells(score: TaskScore, link: int | None) -> list[str]:
    name = escaped(score.task)
    rate = score.passed / score.samples if score.samples else -1.0
    killed = (score.mutants_killed or 0) / score.mutants if score.mutants else None
    return [
        f"<td>{name}</td>" if link is None else f'<td><a href="#task-{link}">{name}</a></td>',
        _cell(f"{score.passed:,}", score.passed),
        _cell(f"{score.samples:,}", score.samples),
        _cell(f"{100 * rate:.0f} %" if rate >= 0 else "", rate),
        f"<td>{verdicts_line(score.verdicts, '&nbsp;')}</td>",
        _cell(f"{score.efficient_time:,}", score.efficient_time),
        _cell(f"{score.efficient_memory:,}", score.efficient_memory),
        _cell(
            "" if score.fastest_ms is None else f"{score.fastest_ms:,.1f}", score.fastest_ms or -1
        ),
        _cell(f"{score.cases:,}", score.cases),
        _cell("" if killed is None else f"{100 * killed:.0f} %", -1 if killed is None else killed),
        _cell(score.time_complexity),
        _cell(score.difficulty),
        _cell("" if score.published is None else score.published.isoformat()),
    ]


def _month_cells(month: MonthScore) -> list[str]:
    share = f"{100 * month.value:.1f}%"
    bar = f'<td class="share"><span style="width:{share}"></span></td>'
    return [*map(_cell, month_row(month)), bar]


def _sections(tallies: Sequence[Tally], program: ProgramOf) -> dict[str, str]:
    """Return the samples of each task by its id, as many as the page has room for.

    The first failing sample of each task comes first, then the second ones, and so on; then come
    those that pass.
    """
    ordered = [sorted(tally.samples, key=lambda each: each.passed) for tally in tallies]
    ranks = sorted(
        (sample.passed, rank, number)
        for number, samples in enumerate(ordered)
        for rank, sample in enumerate(samples)
    )
    found: dict[int, list[str]] = {}
    room = _MOST_CHARS
    for _, rank, number in ranks:
        sample = ordered[number][rank]
        part = _sample(sample, program(sample))
        if number not in found:
            statement = tallies[number].line.statement
            part = f"<h3>Statement</h3>{_pre(statement)}{part}" if statement else part
        room -= len(part)
        if room < 0:
            break
        found.setdefault(number, []).append(part)
    return {
        tallies[number].line.task: _section(tallies[number], number, parts)
        for number, parts in sorted(found.items())
    }


def _section(tally: Tally, number: int, parts: Sequence[str]) -> str:
    rest = len(tally.samples) - len(parts)
    more = f'<p class="quiet">and {counted(rest, "sample")} more, in the record</p>' if rest else ""
    passed = sum(each.passed for each in tally.samples)
    counts = Counter(each.verdict for each in tally.samples if each.verdict)
    return (
        f"<details class=task><summary>{escaped(tally.line.task)} <span class=quiet>{passed:,} of "
        f"{counted(len(tally.samples), 'sample')} pass: {verdicts_line(counts, '&nbsp;')}</span>"
        "</summary>"
        f'<div id="task-{number}">{"".join(parts)}{more}</div></details>'
    )


def _sample(sample: EvaluatedSample, program: str) -> str:
    case = sample.failure
    why = sample.details
    if case is not None and case.verdict is not Verdict.CE:
        why = f"case {case.name}: {case.message or sample.details}"
    figures = f"{sample.cpu_ms:,.0f} ms, {sample.memory_mib:,.0f} MiB"
    texts = [("Input of the failing case", sample.failing_input)]
    if case is not None:
        if case.difference is not None:
            position = f"line {case.difference.line}, column {case.difference.column}"
            texts += [
                (f"Expected, at {position}", case.difference.expected),
                ("Got", case.difference.got),
            ]
        texts += [("Standard output", case.stdout), ("Standard error", case.stderr)]
    texts.append((f"Program {sample.program}", program))
    shown = "".join(f"<h4>{escaped(name)}</h4>{_pre(text)}" for name, text in texts if text.strip())
    return (
        f'<details class=fail><summary><span class="v {sample.verdict}"></span> {sample.verdict} '
        f"<span class=quiet>seed {sample.seed}, sample {sample.sample}, {figures}</span> "
        f"{escaped(why)}</summary>{shown}</details>"
    )


def _pre(text: str) -> str:
    rest = len(text) - _MOST_TEXT
    more = f"\n... {rest:,} characters more" if rest > 0 else ""
    return f'<pre tabindex="0">{escape(visible_lines(text[:_MOST_TEXT]))}{more}</pre>'


def _cell(text: str, value: float | None = None) -> str:
    own = "" if value is None else f' data-value="{value!r}"'
    return f"<td{own}>{escaped(text)}</td>"


def _table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], *, sortable: bool = False
) -> str:
    def head(text: str) -> str:
        return f"<button>{escape(text)}</button>" if sortable else escape(text)

    kind = "sortable" if sortable else "figures"
    top = "".join(f'<th scope="col">{head(text)}</th>' for text in headings)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<h2>{title}</h2><div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{top}'
        "</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


STYLE = """
h1{overflow-wrap:anywhere}.lead{margin:-.4rem 0 1rem;color:var(--quiet)}
th:first-child,td:first-child{text-align:left;white-space:normal;overflow-wrap:anywhere;
min-width:7.5rem}
.figures td:first-child{white-space:nowrap}
.figures td:last-child,.figures th:last-child{text-align:left}
.figures td:last-child{white-space:normal;min-width:9rem}
.sortable th{white-space:normal;vertical-align:bottom}
th button{appearance:none;border:0;padding:0;background:none;cursor:pointer;font:inherit;
color:inherit;text-align:inherit}
th button:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
th[aria-sort=ascending] button::after{content:" \\2191"}
th[aria-sort=descending] button::after{content:" \\2193"}
.sortable{width:100%}.sortable td{font-size:.9rem}
.sortable td:nth-child(5){white-space:normal;min-width:8rem}
@media(min-width:60rem){.sortable td:first-child{min-width:12rem}}
.scroll{max-height:40rem;overflow:auto}
.scroll thead th{position:sticky;top:0;background:var(--ground)}
.bar{display:flex;height:1.4rem;border-radius:.35rem;overflow:hidden;gap:1px}
.bar .v{flex-basis:0;min-width:2px}
.share{min-width:9rem}.share span{display:block;height:.8rem;background:var(--green)}
.keys{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;margin:.5rem 0 0}
.keys .v{display:inline-block;width:.8rem;height:.8rem;border-radius:.15rem;margin-right:.35rem}
.v{background:var(--grey)}.v.AC{background:var(--green)}.v.WA{background:var(--red)}
.v.TLE{background:var(--blue)}.v.MLE{background:var(--plum)}
.v.RTE{background:color-mix(in srgb,var(--red) 55%,var(--ground))}
.v.CE{background:color-mix(in srgb,var(--ink) 60%,var(--ground))}
details{border-bottom:1px solid var(--rule);padding:.35rem 0}
summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}summary .quiet{font-weight:400}
a{color:var(--blue)}.task>div{margin-left:1rem;scroll-margin-top:3rem}
.task h3,.task h4{font-size:.85rem;margin:.6rem 0 .2rem;color:var(--quiet);overflow-wrap:anywhere}
.fail{margin:.6rem 0;padding:.5rem .8rem;background:var(--card);border-radius:.4rem;border:0;
font-size:.9rem}
.fail .v{display:inline-block;width:.7rem;height:.7rem;border-radius:.15rem}
.fail summary{font-weight:400}
pre{margin:0;padding:.4rem .6rem;background:var(--ground);border:1px solid var(--rule);
border-radius:.3rem;max-height:30rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;
font:.85rem/1.45 ui-monospace,monospace}
.curves{max-width:none;background:#fff;overflow-x:auto}.curves svg{min-width:36rem}
.notes li{overflow-wrap:anywhere}
@media(max-width:36rem){.task>div{margin-left:0}dl{grid-template-columns:1fr}dd{margin-bottom:.3rem}}
"""
SCRIPT = """
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const value = (row, i) => {
    const cell = row.cells[i], own = cell.dataset.value;
    return own === undefined ? cell.textContent : Number(own);
  };
  const order = (a, b) => typeof a === "number"
    ? a - b : a.localeCompare(b, undefined, {numeric: true});
  heads.forEach((head, i) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sign = down ? -1 : 1;
    body.append(...[...body.rows].sort((a, b) => sign * order(value(a, i), value(b, i))));
  }));
}
"""
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
