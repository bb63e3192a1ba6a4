"""Count the metrics of an evaluation from its tallies."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from steelyard.evaluation._tallies import Tally, cost_of, score_of
from steelyard.evaluation.metrics import (
    bootstrap_interval,
    enamel_eff_at_k,
    mean_interval,
    pass_at_k,
    pass_hat_k,
    standard_error,
)
from steelyard.schemas import (
    EvaluatedSample,
    MetricName,
    MetricValue,
    MonthScore,
    TaskScore,
    Verdict,
)

METRICS_AT_K: tuple[MetricName, ...] = (
    "pass@k",
    "pass^k",
    "eff@k_runtime",
    "eff@k_memory",
    "enamel_eff@k",
)


def value_at(name: MetricName, score: TaskScore, k: int) -> float | None:
    """Return a metric of `METRICS_AT_K` on one task; None if it is undefined."""
    if name == "enamel_eff@k":
        return None if score.enamel is None else enamel_eff_at_k(score.enamel, k)
    efficient = {"eff@k_runtime": score.efficient_time, "eff@k_memory": score.efficient_memory}
    estimate = pass_hat_k if name == "pass^k" else pass_at_k
    return estimate(score.samples, efficient.get(name, score.passed), k)


def count_metrics(
    judged: Sequence[Tally],
    lines: Sequence[EvaluatedSample],
    executions: Mapping[Verdict, int],
    run: int,
    k: Sequence[int],
    *,
    selected: int,
    solved: bool,
) -> Iterator[MetricValue]:
    """Yield all metrics.

    Args:
        judged: The tasks that have a verdict.
        lines: Their samples.
        executions: Number of cases by verdict.
        run: Number of cases that were run.
        k: The k of pass@k and its relatives.
        selected: Number of tasks of the selection; a metric on fewer of them names both numbers.
        solved: True if runs of solve wrote the samples.
    """
    scores = [score_of(each) for each in judged]
    clusters = [each.cluster for each in judged]

    def over(name: MetricName, values: Sequence[float | None], k: int | None = None) -> MetricValue:
        mean = _mean(name, values, clusters, k)
        fewer = 0 < mean.tasks < selected
        basis = f"{mean.tasks:,} of {selected:,} tasks" if fewer else ""
        return mean.model_copy(update={"basis": basis})

    for each in METRICS_AT_K:
        if each == "enamel_eff@k" and all(score.enamel is None for score in scores):
            continue
        for own in k:
            if each != "pass^k" or own > 1:
                yield over(each, [value_at(each, score, own) for score in scores], own)
    if any(score.beyond is not None for score in scores):
        yield over("beyond", [score.beyond for score in scores])
    for rate, verdict in (("tle_rate", Verdict.TLE), ("mle_rate", Verdict.MLE)):
        count = executions.get(verdict, 0)
        yield MetricValue(
            name=rate,  # type: ignore[arg-type]
            value=count / run if run else None,
            tasks=len(judged),
            basis=f"{count:,} of {run:,} executions",
        )
    if solved:
        yield _iterations(judged, lines)
    if any(each.cost_usd != 0 for each in lines):
        yield _cost(scores, lines)


def _mean(
    name: MetricName,
    values: Sequence[float | None],
    clusters: Sequence[tuple[str, str]],
    k: int | None,
) -> MetricValue:
    known = [
        (value, cluster)
        for value, cluster in zip(values, clusters, strict=True)
        if value is not None
    ]
    if not known:
        return MetricValue(name=name, k=k)
    defined, own = [value for value, _ in known], [cluster for _, cluster in known]
    return MetricValue(
        name=name,
        k=k,
        value=fmean(defined),
        standard_error=standard_error(defined, own),
        interval=mean_interval(defined, own),
        tasks=len(defined),
        unit="score" if name in ("enamel_eff@k", "beyond") else "share",
    )


def _iterations(judged: Sequence[Tally], lines: Sequence[EvaluatedSample]) -> MetricValue:
    """Return the mean number of iterations until a program was efficient."""
    means, clusters, efficient = [], [], 0
    for tally in judged:
        own = [each.iterations for each in tally.samples if each.efficient and each.iterations]
        efficient += len(own)
        if own:
            means.append(fmean(own))
            clusters.append(tally.cluster)
    basis = f"{efficient:,} of {len(lines):,} runs became efficient"
    if not means:
        return MetricValue(name="iterations", unit="count", basis=basis)
    # Wilson's interval is for shares: equal counts have none.
    interval = bootstrap_interval(means, clusters) if len(set(means)) > 1 else None
    mean = _mean("iterations", means, clusters, None)
    return mean.model_copy(update={"unit": "count", "basis": basis, "interval": interval})


def _cost(scores: Sequence[TaskScore], lines: Sequence[EvaluatedSample]) -> MetricValue:
    """Return the cost of all samples, divided by the tasks that one of them solves."""
    solved = sum(score.passed > 0 for score in scores)
    total = cost_of(lines)
    return MetricValue(
        name="cost_per_solved",
        value=total / solved if solved and total is not None else None,
        tasks=solved,
        unit="USD",
        basis="a price is unknown"
        if total is None
        else f"${total:.4f} for {solved:,} solved tasks",
    )


def count_months(judged: Sequence[Tally]) -> Iterator[MonthScore]:
    """Yield pass@1 by month of publication; a drop shows what a model had seen before."""
    by_month: dict[str, list[Tally]] = {}
    for tally in judged:
        if tally.line.published is not None:
            by_month.setdefault(f"{tally.line.published:%Y-%m}", []).append(tally)
    for month, own in sorted(by_month.items()):
        shares = [tally.share for tally in own]
        interval = mean_interval(shares, [tally.cluster for tally in own])
        yield MonthScore(month=month, tasks=len(own), value=fmean(shares), interval=interval)
