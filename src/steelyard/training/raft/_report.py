"""The report of a run as one HTML page. All that comes from outside is escaped here."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from steelyard.rendering import (
    Axis,
    Key,
    counted,
    document,
    escaped,
    percent,
    svg_dot,
    svg_legend,
    svg_line,
    svg_text,
    svg_ticks,
    visible,
)
from steelyard.schemas import TrainingCycle, TrainingHistory, TrainingSample

__all__ = ["page_of"]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 420.0, 220.0, 40.0, 24.0, 10.0
_STYLE = """
.a{stroke:var(--blue);stroke-width:2}.b{stroke:var(--plum);stroke-width:2}
circle.a{fill:var(--blue)}circle.b{fill:var(--plum)}
.range{stroke:var(--blue);stroke-width:1.2;opacity:.6}
pre{background:var(--card);padding:.6rem .8rem;border-radius:.5rem;overflow-x:auto;
white-space:pre-wrap;overflow-wrap:anywhere}
.ok{color:var(--green)}.no{color:var(--red)}
"""
_SHOWN, _MOST_CHARS = 6, 2_000
_HEADINGS = (
    "cycle", "held-out pass@1", "samples", "pass", "reward", "solved", "kept", "loss", "cut off",
    "no code", "seconds", "judging",
)  # fmt: skip
_SIGNALS = (
    "cycle", "visible pass", "hidden pass", "memorised", "refused", "sandbox attempts",
    "repeated", "length with reward", "reward, short to long",
)  # fmt: skip

Points = Sequence[tuple[float, float]]


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
    yield '</div><h2>Curves</h2><div class="charts">'
    yield _rates(history.cycles)
    yield _losses(history.cycles)
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
    held, seconds = cycle.held_out, cycle.seconds
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
        f"{cycle.without_code:,}" if sampled else "",
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
            *("" if rate is None else percent(rate)
              for rate in (each.visible_pass_rate, each.hidden_pass_rate)),
            f"{each.memorised:,}",
            f"{each.refused:,}",
            f"{each.sandbox_attempts:,}",
            f"{each.repeated:,}",
            "" if each.length_correlation is None else f"{each.length_correlation:+.2f}",
            " ".join(f"{band.mean_reward:.2f}" for band in each.reward_by_length),
        ]
        for cycle, each in found
    ]  # fmt: skip
    yield from _table(_SIGNALS, rows)


def _rates(cycles: Sequence[TrainingCycle]) -> str:
    """Draw held-out pass@1 and the pass rate of samples over cycles."""
    held = [(each.cycle, each.held_out) for each in cycles if each.held_out is not None]
    tried = [(each.cycle, each.pass_rate) for each in cycles if each.pass_rate is not None]
    last = max((each.cycle for each in cycles), default=0)
    across = Axis("cycle", 0.0, max(last, 1), False, _whole_ticks(last))
    up = Axis("share", 0.0, 1.0, False, tuple((n / 4, f"{25 * n} %") for n in range(5)))
    x_of, y_of = _places(across, up)
    parts = _frame(across, up, x_of, y_of)
    for number, figures in held:
        x = x_of(number)
        parts.append(svg_line(x, y_of(figures.interval[0]), x, y_of(figures.interval[1]), "range"))
    parts += _curve([(n, each.pass_at_1) for n, each in held], x_of, y_of, "a")
    parts += _curve([(n, each) for n, each in tried], x_of, y_of, "b")
    keys = [Key("line", "a", "held-out pass@1"), Key("line", "b", "samples that pass")]
    return _figure("Pass rates over cycles", parts, keys)


def _losses(cycles: Sequence[TrainingCycle]) -> str:
    """Draw the loss over all training steps."""
    losses = [loss for each in cycles for loss in each.losses]
    if not losses:
        return ""
    top = max(losses) * 1.05 or 1.0
    across = Axis("step", 0.0, max(len(losses) - 1, 1), False, _whole_ticks(len(losses) - 1))
    up = Axis("loss", 0.0, top, False, tuple((top * n / 4, f"{top * n / 4:.2f}") for n in range(5)))
    x_of, y_of = _places(across, up)
    parts = _frame(across, up, x_of, y_of)
    parts += _curve(list(enumerate(losses)), x_of, y_of, "a", dots=False)
    return _figure("Training loss over steps", parts, [Key("line", "a", "loss")])


def _whole_ticks(last: int) -> tuple[tuple[float, str], ...]:
    """Return at most ten round numbers from 0 to `last`."""
    step = next(
        part * 10**power
        for power in itertools.count()
        for part in (1, 2, 5)
        if part * 10**power * 9 >= last
    )
    return tuple((float(each), f"{each:,}") for each in range(0, last + 1, step))


def _places(across: Axis, up: Axis) -> tuple[Callable[[float], float], Callable[[float], float]]:
    def x_of(value: float) -> float:
        return _LEFT + across.inside(value) * (_WIDTH - _LEFT - 8)

    def y_of(value: float) -> float:
        return _TOP + (1 - up.inside(value)) * (_HEIGHT - _TOP - _BOTTOM)

    return x_of, y_of


def _frame(
    across: Axis, up: Axis, x_of: Callable[[float], float], y_of: Callable[[float], float]
) -> list[str]:
    parts = []
    for value, label in up.ticks:
        parts.append(svg_line(_LEFT, y_of(value), _WIDTH - 8, y_of(value), "grid"))
        parts.append(svg_text(_LEFT - 5, y_of(value) + 4, label, "tick", "end"))
    return [*parts, *svg_ticks(across, x_of, _HEIGHT - 6, _WIDTH)]


def _curve(
    points: Points,
    x_of: Callable[[float], float],
    y_of: Callable[[float], float],
    kind: str,
    *,
    dots: bool = True,
) -> list[str]:
    placed = [(x_of(x), y_of(y)) for x, y in points]
    pairs = itertools.pairwise(placed)
    parts = [svg_line(*first, *second, kind) for first, second in pairs]
    return parts + [svg_dot(*each, kind) for each in placed] if dots else parts


def _figure(title: str, parts: list[str], keys: Sequence[Key]) -> str:
    legend, height = svg_legend(keys, _LEFT, _WIDTH, _HEIGHT + 10)
    return (
        f"<figure><h3>{escape(title)}</h3>"
        f'<svg viewBox="0 0 {_WIDTH:.0f} {_HEIGHT + height + 4:.0f}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}{"".join(legend)}</svg></figure>'
    )


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
