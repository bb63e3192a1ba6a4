"""The run of a trainer as blocks."""

from collections.abc import Iterator, Mapping, Sequence

from steelyard.reports import (
    Axis,
    Block,
    Chart,
    Charts,
    Code,
    Column,
    Dots,
    Figure,
    Figures,
    Fold,
    Heading,
    Headline,
    Items,
    Note,
    Outline,
    Span,
    Table,
    Text,
    Trace,
    counted,
    linear_axis,
    percent,
)
from steelyard.schemas import (
    Signals,
    TrainingCycle,
    TrainingHistory,
    TrainingSample,
)

_SHOWN = 6
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


def view(
    history: TrainingHistory, samples: Sequence[TrainingSample], prompts: Mapping[str, str]
) -> Iterator[Block]:
    """Yield the blocks of a run.

    Args:
        history: The run so far.
        samples: Judged samples of its last cycle, of which some are shown.
        prompts: Texts of the prompts by id.
    """
    cycles = history.cycles
    trained = max(len(cycles) - 1, 0)
    yield Headline(history.model, f"{trained} of {counted(history.planned, 'cycle')}")
    yield from map(Note, history.notes)
    yield Figures(list(_figures(history)))
    yield Text(str(history.rewards))
    yield Heading("Curves")
    yield Charts(list(_charts(cycles)))
    yield Heading("Cycles")
    yield _table(_HEADINGS, map(_row, cycles))
    signals = [(each.cycle, each.signals) for each in cycles if each.signals is not None]
    if signals:
        yield Heading("Signals of gaming")
        yield Text(
            "No signal is proof. If one rises, look at the samples in judged.jsonl. Repeated "
            "answers are programs that answer several prompts."
        )
        yield _table(_SIGNALS, (_signal_row(*each) for each in signals))
    if notes := [f"cycle {each.cycle}: {note}" for each in cycles for note in each.notes]:
        yield Heading("Notes")
        yield Items(notes)
    if samples:
        yield Heading("Samples of the last cycle")
    for passed in (True, False):
        found = {each.prompt: each for each in samples if each.passed is passed}
        yield from (_sample(each, prompts) for each in list(found.values())[:_SHOWN])


def _table(headings: Sequence[str], rows: Iterator[Sequence[str]]) -> Table:
    return Table([Column(name, "figure") for name in headings], list(rows)).filled()


def _figures(history: TrainingHistory) -> Iterator[Figure]:
    held = [each.held_out for each in history.cycles if each.held_out is not None]
    if held:
        rates = f"{percent(held[0].pass_at_1)} → {percent(held[-1].pass_at_1)}"
        prompts = f"{counted(held[-1].prompts, 'prompt')} that were never trained on"
        yield Figure("held-out pass@1", rates, prompts)
    sampled = [each for each in history.cycles if each.samples]
    if sampled:
        rates = f"{percent(sampled[0].pass_rate or 0)} → {percent(sampled[-1].pass_rate or 0)}"
        total = sum(each.samples for each in sampled)
        yield Figure("samples that pass", rates, f"{total:,} samples in all")
        kept, wrong = (
            sum(each) for each in zip(*((c.kept, c.kept_wrong) for c in sampled), strict=True)
        )
        yield Figure("kept", f"{kept:,}", f"{wrong:,} of them wrong")
        minutes = sum(sum(each.seconds.model_dump().values()) for each in history.cycles) / 60
        yield Figure("time", f"{minutes:.1f} min", f"{percent(history.judging_share)} judging")


def _row(cycle: TrainingCycle) -> list[str]:
    held, seconds, rewards = cycle.held_out, cycle.seconds, cycle.rewards
    losses = f"{cycle.losses[0]:.3f} → {cycle.losses[-1]:.3f}" if cycle.losses else ""
    bounds = f"({100 * held.interval[0]:.0f} to {percent(held.interval[1])})" if held else ""
    sampled = cycle.samples > 0
    return [
        str(cycle.cycle),
        f"{percent(held.pass_at_1)} {bounds}" if held else "",
        f"{cycle.samples:,}" if sampled else "",
        percent(cycle.pass_rate) if cycle.pass_rate is not None else "",
        f"{cycle.mean_reward:.3f}" if cycle.mean_reward is not None else "",
        f"{cycle.solved:,} of {cycle.prompts:,}" if cycle.prompts else "",
        f"{cycle.kept:,}" if sampled else "",
        losses,
        f"{cycle.cut_off:,}" if sampled else "",
        f"{rewards.without_code:,}" if sampled else "",
        f"{rewards.without_variance:,} of {rewards.groups:,}" if rewards.groups else "",
        f"{sum(seconds.model_dump().values()):.1f}",
        f"{seconds.judging + seconds.judging_held_out:.1f}",
    ]


def _signal_row(cycle: int, signals: Signals) -> list[str]:
    rates = (signals.visible_pass_rate, signals.hidden_pass_rate)
    length = signals.length_correlation
    return [
        str(cycle),
        *("" if rate is None else percent(rate) for rate in rates),
        f"{signals.memorised:,}",
        f"{signals.refused:,}",
        f"{signals.sandbox_attempts:,}",
        f"{signals.repeated:,}",
        "" if length is None else f"{length:+.2f}",
        " ".join(f"{band.mean_reward:.2f}" for band in signals.reward_by_length),
    ]


def _charts(cycles: Sequence[TrainingCycle]) -> Iterator[Chart]:
    """Yield held-out pass@1 and the pass rate of samples over cycles, and the loss over steps."""
    held = {float(each.cycle): each.held_out for each in cycles if each.held_out is not None}
    rates = {cycle: each.pass_at_1 for cycle, each in held.items()}
    tried = {float(each.cycle): each.pass_rate for each in cycles if each.pass_rate is not None}
    curves = [("held-out pass@1", rates), ("samples that pass", tried)]
    drawn = [(name, tuple(points), tuple(points.values())) for name, points in curves if points]
    intervals = [each.interval for each in held.values()]
    last = max((each.cycle for each in cycles), default=0)
    yield Chart(
        "Pass rates over cycles",
        linear_axis("cycle", 0.0, max(last, 1), whole=True),
        Axis("share", 0.0, 1.0, False, tuple((n / 4, f"{25 * n} %") for n in range(5))),
        dots=tuple(Dots(*curve, main=curve[0] == curves[0][0]) for curve in drawn),
        lines=tuple(Trace(*curve, rival=curve[0] != curves[0][0]) for curve in drawn),
        band=Outline(tuple(held), *map(tuple, zip(*intervals, strict=True))) if held else None,
    )
    losses = tuple(loss for each in cycles for loss in each.losses)
    if losses:
        steps = tuple(map(float, range(len(losses))))
        yield Chart(
            "Training loss over steps",
            linear_axis("step", 0.0, max(len(losses) - 1, 1), whole=True),
            linear_axis("loss", 0.0, max(losses) * 1.05 or 1.0),
            lines=(Trace("loss", steps, losses),),
        )


def _sample(sample: TrainingSample, prompts: Mapping[str, str]) -> Fold:
    verdict = (
        Span("passes", "good") if sample.passed else Span(sample.verdict or "no verdict", "bad")
    )
    cases = f"  {sample.cases_passed} of {sample.cases} cases" if sample.cases else ""
    texts = {"Prompt": prompts.get(sample.prompt, ""), "Completion": sample.completion}
    return Fold(
        [verdict, f" {sample.prompt}", Span(cases, "quiet")],
        [Code(text, title) for title, text in texts.items()],
    )
