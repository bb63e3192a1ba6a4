"""The run of a trainer as blocks."""

from collections.abc import Iterator, Mapping, Sequence

from steelyard.reports import (
    Axis,
    Block,
    Chart,
    Charts,
    Code,
    Dots,
    DrawnCurve,
    Figure,
    Figures,
    Fold,
    Heading,
    Headline,
    Items,
    Note,
    Outline,
    Span,
    TableCell,
    Text,
    cells,
    counted,
    in_order,
    linear_axis,
    percent,
    table,
)
from steelyard.schemas import TrainingCycle, TrainingHistory, TrainingSample

_SHOWN = 6
_CYCLE = (
    "cycle held_out samples pass_rate mean_reward solved/prompts kept last_loss cut_off "
    "rewards.without_code rewards.without_variance/rewards.groups seconds.took_s seconds.judge_s"
)
_SIGNALS = (
    "visible_pass_rate hidden_pass_rate memorised refused sandbox_attempts repeated "
    "length_correlation"
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
    yield table(cells(each, _CYCLE) for each in cycles)
    yield Heading("Signals of gaming")
    yield table(
        map(_signals, (each for each in cycles if each.signals)),
        caption="No signal is proof. If one rises, look at the samples in judged.jsonl. Repeated "
        "answers are programs that answer several prompts.",
    )
    yield Heading("Notes")
    yield Items([f"cycle {each.cycle}: {note}" for each in cycles for note in each.notes])
    yield Heading("Samples of the last cycle")
    for passed in (True, False):
        found = {each.prompt: each for each in samples if each.passed is passed}
        yield from (_sample(each, prompts) for each in list(found.values())[:_SHOWN])


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
        kept, wrong = (sum(each.kept for each in sampled), sum(each.kept_wrong for each in sampled))
        yield Figure("kept", f"{kept:,}", f"{wrong:,} of them wrong")
        minutes = sum(each.seconds.took_s for each in history.cycles) / 60
        yield Figure("time", f"{minutes:.1f} min", f"{percent(history.judging_share)} judging")


def _signals(cycle: TrainingCycle) -> dict[str, TableCell]:
    bands = cycle.signals.reward_by_length if cycle.signals else ()
    rewards = " ".join(f"{band.mean_reward:.2f}" for band in bands)
    found = cells(cycle.signals, _SIGNALS)
    return {**cells(cycle, "cycle"), **found, "reward, short to long": TableCell(rewards)}


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
        lines=tuple(DrawnCurve(*curve, rival=curve[0] != curves[0][0]) for curve in drawn),
        band=Outline(tuple(held), *map(tuple, zip(*intervals, strict=True))) if held else None,
    )
    losses = [loss for each in cycles for loss in each.losses]
    if losses:
        loss = linear_axis("loss", 0.0, max(losses) * 1.05 or 1.0)
        yield in_order("Training loss over steps", "step", loss, losses)


def _sample(sample: TrainingSample, prompts: Mapping[str, str]) -> Fold:
    tone = "good" if sample.passed else "bad"
    verdict = Span("passes" if sample.passed else sample.verdict or "no verdict", tone)
    cases = f"  {sample.cases_passed} of {sample.cases} cases" if sample.cases else ""
    texts = {"Prompt": prompts.get(sample.prompt, ""), "Completion": sample.completion}
    return Fold(
        [verdict, f" {sample.prompt}", Span(cases, "quiet")],
        [Code(text, title) for title, text in texts.items()],
    )
