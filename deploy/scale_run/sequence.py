"""The sequence of a scaling run: from `apply` to the report, and `destroy` in every case."""

import json
import math
import re
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from arguments import ArgumentsError, model_limit_usd

__all__ = ["Place", "Plan", "RunError", "Summary", "scale_run"]


_BILLING_QUERY = (
    "SELECT SUM(cost) + SUM(IFNULL((SELECT SUM(amount) FROM UNNEST(credits)), 0)) FROM TABLE, "
    "UNNEST(labels) AS label WHERE label.key = 'k8s-label/steelyard.dev/run' "
    "AND label.value = 'NAME'"
)


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
            "the budget": self.budget_usd, "--cpu-hour-usd": self.cpu_hour_usd,
            "--gib-hour-usd": self.gib_hour_usd, "--shards": self.shards, "--cycles": self.cycles,
        }  # fmt: skip
        for name, number in numbers.items():
            if not 0 < number < math.inf:
                raise RunError(f"{name} must be finite and above 0, got {number:g}")
        try:
            limit_usd = model_limit_usd(self.arguments) * self.shards
        except ArgumentsError as error:
            raise RunError(str(error)) from error
        if limit_usd > self.budget_usd:
            raise RunError(
                f"models may cost {limit_usd:g} US dollars in {self.shards} shards, above the "
                f"budget of {self.budget_usd:g}; lower --max-cost"
            )
        if not self.inputs.is_dir():
            raise RunError(f"{self.inputs} is not a folder; name the folder of samples")
        if self.out.exists() and not (self.out.is_dir() and not any(self.out.iterdir())):
            raise RunError(f"{self.out} exists and is not an empty folder; name another --out")


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

    def collect(self) -> list[Path]:
        """Return the folders of all shards."""

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
    signal.signal(signal.SIGTERM, lambda *_: _interrupt())
    try:
        for step in (place.apply, place.gate, place.judge):
            report(step.__name__)
            step()
        report("collect")
        folders = place.collect()
        report("evaluate")
        evaluation = _merged(folders, plan)
        summary = _summary(place, plan, evaluation)
        text = json.dumps(asdict(summary), indent=2)
        (plan.out / "scale-run.json").write_text(f"{text}\n")
        return summary
    finally:
        # Another Ctrl-C would leave machines behind that cost money.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        report("destroy")
        place.destroy()


def report(text: str) -> None:
    """Show a step on standard error."""
    print(f"scale-run: {text}", file=sys.stderr, flush=True)


def _interrupt() -> None:
    raise KeyboardInterrupt


def _merged(folders: list[Path], plan: Plan) -> dict[str, Any]:
    lacking = [folder.name for folder in folders if not (folder / "report.json").exists()]
    if lacking or len(folders) != plan.shards:
        raise RunError(
            f"{len(folders) - len(lacking)} of {plan.shards} shards are complete; those that are "
            f"are in the folder {plan.out}"
        )
    words = ["evaluate", "merge", *map(str, folders), "--out", str(plan.out / "evaluation")]
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", *words, "--no-plots", "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
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
