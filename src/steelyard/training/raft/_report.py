"""The report of a run as one HTML page. All that comes from outside is escaped here."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from steelyard.reports import (
    Axis,
    Chart,
    Dots,
    Outline,
    Trace,
    counted,
    document,
    escaped,
    percent,
    svg_chart,
    visible,
)
from steelyard.schemas import TrainingCycle, TrainingHistory, TrainingSample

_STYLE = """
pre{background:var(--card);padding:.6rem .8rem;border-radius:.5rem;overflow-x:auto;
white-space:pre-wrap;overflow-wrap:anywhere}
.ok{color:var(--green)}.no{color:var(--red)}
"""
_SHOWN, _MOST_CHARS = 6, 2_000
_HEADINGS = (
    "cycle",
    "held-out pass@1",
    "samples",
    "pass",
    "reward",
    "solved",
    "kept",
    "loss",
    "cut off",
    "no code",
    "no variance",
    "seconds",
    "judging",
)
_SIGNALS = (
    "cycle",
    "visible pass",
    "hidden pass",
    "memorised",
    "refused",
    "sandbox attempts",
    "repeated",
    "length with reward",
    "reward, short to long",
)


def page_of(
    history: TrainingHistory, samples: Sequence[TrainingSample], prompts: Mapping[str, str]
) -> str:
    """Return the page.

    Args:
        history: The run so far.
        samples: Judged samples of its last cycle, of which some are shown.
        prompts: Texts of the prompts by id.
    """
    return document("RAFT run", _body(history, samples, prompts), style=_STYLE)


def _body(
    history: TrainingHistory, samples: Sequence[TrainingSample], prompts: Mapping[str, str]
) -> Iterator[str]:
    trained = max(len(history.cycles) - 1, 0)
    yield f"<h1>{escaped(history.model)}: {trained} of {counted(history.planned, 'cycle')}</h1>"
    for note in history.notes:
        yield f'<p class="note">{escaped(note)}</p>'
    yield '<div class="cards">'
    yield from _cards(history)
    yield f"</div><p>{escaped(str(history.rewards))}</p>"
    yield '<h2>Curves</h2><div class="charts">'
    for chart in _charts(history.cycles):
        yield f"<figure><h3>{escape(chart.title)}</h3>{svg_chart(chart)}</figure>"
    yield "</div><h2>Cycles</h2>"
    yield from _table(_HEADINGS, [_row(each) for each in history.cycles])
    yield from _signals(history.cycles)
    notes = [(each.cycle, note) for each in history.cycles for note in each.notes]
    if notes:
        yield "<h2>Notes</h2><ul>"
        yield from (f"<li>cycle {cycle}: {escaped(note)}</li>" for cycle, note in notes)
        yield "</ul>"
    yield from _samples(samples, prompts)


def _cards(history: TrainingHistory) -> Iterator[str]:
    measured = [each for each in history.cycles if each.held_out is not None]
    facts: list[tuple[str, str, str]] = []
    if measured and measured[0].held_out and measured[-1].held_out:
        first, last = measured[0].held_out, measured[-1].held_out
        facts.append(
            (
                "held-out pass@1",
                f"{percent(first.pass_at_1)} → {percent(last.pass_at_1)}",
                f"{counted(last.prompts, 'prompt')} that were never trained on",
            )
        )
    sampled = [each for each in history.cycles if each.samples]
    if sampled:
        facts.append(
            (
                "samples that pass",
                f"{percent(sampled[0].pass_rate or 0)} → {percent(sampled[-1].pass_rate or 0)}",
                f"{sum(each.samples for each in sampled):,} samples in all",
            )
        )
        wrong = sum(each.kept_wrong for each in sampled)
        facts.append(
            ("kept", f"{sum(each.kept for each in sampled):,}", f"{wrong:,} of them wrong")
        )
        whole = sum(sum(each.seconds.model_dump().values()) for each in history.cycles)
        facts.append(("time", f"{whole / 60:.1f} min", f"{percent(history.judging_share)} judging"))
    for title, big, small in facts:
        yield (
            f'<div class="card"><p class="quiet">{escaped(title)}</p><p class="big">'
            f"{escaped(big)}</p><p>{escaped(small)}</p></div>"
        )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table without the columns that are empty in every row."""
    shown = [n for n in range(len(headings)) if any(row[n] for row in rows)]
    yield '<div class="scroll"><table><thead><tr>'
    yield "".join(f"<th>{escape(headings[n])}</th>" for n in shown)
    yield "</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{escaped(row[n])}</td>' for n in shown)}</tr>"
    yield "</tbody></table></div>"


def _row(cycle: TrainingCycle) -> list[str]:
    held, seconds, rewards = cycle.held_out, cycle.seconds, cycle.rewards
    losses = f"{cycle.losses[0]:.3f} → {cycle.losses[-1]:.3f}" if cycle.losses else ""
    whole = sum(seconds.model_dump().values())
    sampled = cycle.samples > 0
    return [
        str(cycle.cycle),
        f"{percent(held.pass_at_1)} ({100 * held.interval[0]:.0f} to {percent(held.interval[1])})"
        if held
        else "",
        f"{cycle.samples:,}" if sampled else "",
        percent(cycle.pass_rate) if cycle.pass_rate is not None else "",
        f"{cycle.mean_reward:.3f}" if cycle.mean_reward is not None else "",
        f"{cycle.solved:,} of {cycle.prompts:,}" if cycle.prompts else "",
        f"{cycle.kept:,}" if sampled else "",
        losses,
        f"{cycle.cut_off:,}" if sampled else "",
        f"{rewards.without_code:,}" if sampled else "",
        f"{rewards.without_variance:,} of {rewards.groups:,}" if rewards.groups else "",
        f"{whole:.1f}",
        f"{seconds.judging + seconds.judging_held_out:.1f}",
    ]


def _signals(cycles: Sequence[TrainingCycle]) -> Iterator[str]:
    """Yield the signals of gaming of each cycle that was sampled."""
    found = [(each.cycle, each.signals) for each in cycles if each.signals is not None]
    if not found:
        return
    yield (
        "<h2>Signals of gaming</h2><p>No signal is proof. If one rises, look at the samples in "
        "<code>judged.jsonl</code>. Repeated answers are programs that answer several prompts.</p>"
    )
    rows = [
        [
            str(cycle),
            *(
                "" if rate is None else percent(rate)
                for rate in (each.visible_pass_rate, each.hidden_pass_rate)
            ),
            f"{each.memorised:,}",
            f"{each.refused:,}",
            f"{each.sandbox_attempts:,}",
            f"{each.repeated:,}",
            "" if each.length_correlation is None else f"{each.length_correlation:+.2f}",
            " ".join(f"{band.mean_reward:.2f}" for band in each.reward_by_length),
        ]
        for cycle, each in found
    ]
    yield from _table(_SIGNALS, rows)


def _charts(cycles: Sequence[TrainingCycle]) -> Iterator[Chart]:
    """Yield held-out pass@1 and the pass rate of samples over cycles, and the loss over steps."""
    held = {float(each.cycle): each.held_out for each in cycles if each.held_out is not None}
    rates = {cycle: each.pass_at_1 for cycle, each in held.items()}
    tried = {float(each.cycle): each.pass_rate for each in cycles if each.pass_rate is not None}
    curves = [("held-out pass@1", rates), ("samples that pass", tried)]
    drawn = [(name, tuple(points), tuple(points.values())) for name, points in curves if points]
    intervals = [each.interval for each in held.values()]
    yield Chart(
        "Pass rates over cycles",
        _axis("cycle", max((each.cycle for each in cycles), default=0)),
        Axis("share", 0.0, 1.0, False, tuple((n / 4, f"{25 * n} %") for n in range(5))),
        dots=tuple(Dots(*curve, main=curve[0] == curves[0][0]) for curve in drawn),
        lines=tuple(Trace(*curve, rival=curve[0] != curves[0][0]) for curve in drawn),
        band=Outline(tuple(held), *map(tuple, zip(*intervals, strict=True))) if held else None,
    )
    losses = tuple(loss for each in cycles for loss in each.losses)
    if losses:
        top = max(losses) * 1.05 or 1.0
        ticks = tuple((top * n / 4, f"{top * n / 4:.2f}") for n in range(5))
        steps = tuple(map(float, range(len(losses))))
        yield Chart(
            "Training loss over steps",
            _axis("step", len(losses) - 1),
            Axis("loss", 0.0, top, False, ticks),
            lines=(Trace("loss", steps, losses),),
        )


def _axis(label: str, last: int) -> Axis:
    """Return an axis from 0 with at most ten round numbers."""
    step = next(
        part * 10**power
        for power in itertools.count()
        for part in (1, 2, 5)
        if part * 10**power * 9 >= last
    )
    ticks = tuple((float(each), f"{each:,}") for each in range(0, last + 1, step))
    return Axis(label, 0.0, max(last, 1), False, ticks)


def _samples(samples: Sequence[TrainingSample], prompts: Mapping[str, str]) -> Iterator[str]:
    """Yield some samples of the last cycle: right ones and wrong ones, each of another prompt."""
    if not samples:
        return
    yield "<h2>Samples of the last cycle</h2>"
    for passed in (True, False):
        seen: set[str] = set()
        for each in samples:
            if each.passed is not passed or each.prompt in seen or len(seen) == _SHOWN:
                continue
            seen.add(each.prompt)
            word, kind = ("passes", "ok") if passed else (each.verdict or "no verdict", "no")
            cases = f"{each.cases_passed} of {each.cases} cases" if each.cases else ""
            yield (
                f'<details><summary><b class="{kind}">{escaped(str(word))}</b> '
                f"{escaped(each.prompt)} <span class=quiet>{escaped(cases)}</span></summary>"
                f"<p>Prompt</p>{_block(prompts.get(each.prompt, ''))}<p>Completion</p>"
                f"{_block(each.completion)}</details>"
            )


def _block(text: str) -> str:
    shown = text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}\n…"
    return f"<pre>{chr(10).join(escape(visible(line)) for line in shown.splitlines())}</pre>"
