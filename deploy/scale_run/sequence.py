"""The sequence of a scaling run: from `apply` to the report, and `destroy` in every case."""

import json
import math
import re
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from arguments import ArgumentsError, model_limit_usd

__all__ = ["Place", "Plan", "RunError", "Summary", "scale_run"]


_BILLING_QUERY = (
    "SELECT SUM(cost) + SUM(IFNULL((SELECT SUM(amount) FROM UNNEST(credits)), 0)) FROM TABLE, "
    "UNNEST(labels) AS label WHERE label.key = 'k8s-label/steelyard.dev/run' "
    "AND label.value = 'NAME'"
)

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What would end this program: Ctrl-C, a manager of services, a terminal that is closed."""


class RunError(Exception):
    """A step failed. The text names it and what to do."""


@dataclass(frozen=True)
class Plan:
    """What to run."""

    name: str
    """Name of the run: the label of its pods, and its folder in the bucket."""
    budget_usd: float
    shards: int
    cycles: int
    arguments: str
    """Words for `steelyard evaluate`, without shard and folder."""
    inputs: Path
    """Folder that pods find at /data/input."""
    out: Path
    cpu_hour_usd: float
    gib_hour_usd: float

    def check(self) -> None:
        """Refuse what would cost more than the budget, before anything is made.

        Raises:
            RunError: if it would.
        """
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,28}[a-z0-9]", self.name):
            raise RunError(
                f"the name must be 2 to 30 lower-case letters, digits and hyphens, got {self.name}"
            )
        numbers = {
            "the budget": self.budget_usd,
            "--cpu-hour-usd": self.cpu_hour_usd,
            "--gib-hour-usd": self.gib_hour_usd,
            "--shards": self.shards,
            "--cycles": self.cycles,
        }
        for name, number in numbers.items():
            if not 0 < number < math.inf:
                raise RunError(f"{name} must be finite and above 0, got {number:g}")
        if self.pods_budget_usd <= 0:
            limit_usd = self.budget_usd - self.pods_budget_usd
            raise RunError(
                f"models may cost {limit_usd:g} US dollars in {self.shards} shards, which leaves "
                f"nothing of the budget of {self.budget_usd:g} for pods; lower --max-cost"
            )
        if not self.inputs.is_dir():
            raise RunError(f"{self.inputs} is not a folder; name the folder of samples")
        if self.out.exists() and not (self.out.is_dir() and not any(self.out.iterdir())):
            raise RunError(f"{self.out} exists and is not an empty folder; name another --out")

    @cached_property
    def pods_budget_usd(self) -> float:
        """What the pods may cost: the budget without what models may cost in all shards.

        Raises:
            RunError: if the arguments set no limit for models.
        """
        try:
            return self.budget_usd - model_limit_usd(self.arguments) * self.shards
        except ArgumentsError as error:
            raise RunError(str(error)) from error


@dataclass(frozen=True)
class Summary:
    """What the run gave and cost."""

    name: str
    cycles: int
    machine_usd: float
    """Pods with the run's label: their requests by their time, at the given prices."""
    model_usd: float
    usd_per_1000_cycles: float
    billing_query: str
    """For the billing export, which has the real costs a day later."""


class Place(Protocol):
    """Where shards run: Google Cloud, or local substitutes."""

    def check(self) -> None:
        """Refuse what cannot work, before anything is made."""

    def apply(self) -> None:
        """Make cluster and bucket."""

    def gate(self) -> None:
        """Fail if the isolation is below what the profile promises."""

    def judge(self) -> None:
        """Run all shards, and wait."""

    def stop(self) -> None:
        """End the shards that still run; what they have judged is kept."""

    def collect(self) -> list[Path]:
        """Copy all shards to this machine; return their folders."""

    def machine_usd(self) -> float:
        """Return what the pods with the run's label have cost until now."""

    def destroy(self) -> None:
        """Remove all that `apply` made."""


def scale_run(place: Place, plan: Plan) -> Summary:
    """Run all steps of a checked plan. Destroy comes last, also after a failure or an interrupt.

    Raises:
        RunError: if a step failed.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        for step in (place.apply, place.gate):
            report(step.__name__)
            step()
        folders = _judged(place, plan)
        report("evaluate")
        evaluation = _merged(folders, plan)
        summary = _summary(place, plan, evaluation)
        text = json.dumps(asdict(summary), indent=2)
        (plan.out / "scale-run.json").write_text(f"{text}\n")
        return summary
    finally:
        _ignore_signals()
        report("destroy")
        place.destroy()


def report(text: str) -> None:
    """Show a step on standard error."""
    print(f"scale-run: {text}", file=sys.stderr, flush=True)


def _interrupt(*_: object) -> None:
    _ignore_signals()
    raise KeyboardInterrupt


def _ignore_signals() -> None:
    """Ignore what would end this program: machines would be left behind that cost money."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _judged(place: Place, plan: Plan) -> list[Path]:
    """Judge all shards. After a failure too, they are copied: what was judged is paid for."""
    report("judge")
    try:
        place.judge()
    except (RunError, KeyboardInterrupt):
        report("collect")
        try:
            place.stop()
            kept = len(place.collect())
        except RunError as error:
            report(f"the shards are lost: {error}")
        else:
            report(f"{kept} of {plan.shards} shards are in {plan.out}/parts, as far as they got")
        raise
    report("collect")
    return place.collect()


def _merged(folders: list[Path], plan: Plan) -> dict[str, Any]:
    lacking = [folder.name for folder in folders if not (folder / "report.json").exists()]
    if lacking or len(folders) != plan.shards:
        raise RunError(
            f"{len(folders) - len(lacking)} of {plan.shards} shards are complete; "
            f"what there is of them is in {plan.out}/parts"
        )
    words = ["evaluate", "merge", *map(str, folders), "--out", str(plan.out / "evaluation")]
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", *words, "--no-plots", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 3):
        raise RunError(f"steelyard evaluate merge failed: {done.stderr.strip()}")
    return json.loads((plan.out / "evaluation/report.json").read_text())


def _summary(place: Place, plan: Plan, evaluation: dict[str, Any]) -> Summary:
    cycles = evaluation["samples"]
    if cycles != plan.cycles:
        report(f"{cycles:,} cycles were run, and {plan.cycles:,} were planned")
    machine_usd, model_usd = place.machine_usd(), evaluation["spending"]["cost_usd"] or 0.0
    each = (machine_usd + model_usd) * 1_000 / cycles if cycles else 0.0
    query = _BILLING_QUERY.replace("NAME", plan.name)
    return Summary(plan.name, cycles, machine_usd, model_usd, each, query)
