"""Judge many cycles on a cluster that exists for one run, and say what 1,000 cycles cost.

    make scale-run PROJECT=my-project BUDGET=100 ARGS="--billing-account 0A1B2C-3D4E5F-012345 ..."
    make scale-run BUDGET=1 ARGS=--dry-run

docs/deploy.md describes each step.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from google_cloud import GoogleCloud
from sequence import Place, Plan, RunError, scale_run
from substitutes import Substitutes, write_sample_input

_SAMPLE = "/data/input/tasks.jsonl --samples /data/input/samples.jsonl"


def main() -> int:
    """Run the sequence; return 0, 2 for a wrong call, 3 for a failure, 130 for an interrupt."""
    with tempfile.TemporaryDirectory(prefix="scale-run-") as folder:
        return _run(_options(), Path(folder))


def _run(options: argparse.Namespace, scratch: Path) -> int:
    try:
        plan, place = _planned(options, scratch)
        plan.check()
        place.check()
    except RunError as error:
        print(f"scale-run: {error}", file=sys.stderr)
        return 2
    try:
        summary = scale_run(place, plan)
    except RunError as error:
        print(f"scale-run: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("scale-run: interrupted; what was made is destroyed", file=sys.stderr)
        return 130
    print(f"{summary.cycles:,} cycles; {summary.usd_per_1000_cycles:.4f} USD for 1,000 cycles")
    print(f"results: {plan.out / 'evaluation'}")
    return 0


def _planned(given: argparse.Namespace, scratch: Path) -> tuple[Plan, Place]:
    usual_shards, usual_cycles = (2, 120) if given.dry_run else (25, 12_000)
    shards = usual_shards if given.shards is None else given.shards
    cycles = usual_cycles if given.cycles is None else given.cycles
    inputs = given.input
    if given.dry_run and inputs is None:
        inputs = scratch / "input"
        write_sample_input(inputs, cycles)
    if inputs is None:
        raise RunError("name the folder of samples: --input")
    plan = Plan(
        name=given.name,
        budget_usd=given.budget,
        shards=shards,
        cycles=cycles,
        arguments=given.arguments or _SAMPLE,
        inputs=inputs,
        out=given.out or Path(given.name),
        cpu_hour_usd=given.cpu_hour_usd,
        gib_hour_usd=given.gib_hour_usd,
    )
    if given.dry_run:
        return plan, Substitutes(plan)
    for name in ("project", "billing_account", "image"):
        if not getattr(given, name):
            raise RunError(f"give --{name.replace('_', '-')}")
    return plan, GoogleCloud(
        plan, given.project, given.billing_account, given.image, given.profile, given.keys
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scale-run", description=__doc__.split("\n")[0])
    parser.add_argument("--project", help="project in Google Cloud")
    parser.add_argument("--billing-account", help="its billing account, for the budget's alerts")
    parser.add_argument("--budget", type=float, required=True, help="limit in US dollars")
    parser.add_argument("--image", help="image of Steelyard, as NAME:TAG or NAME@sha256:DIGEST")
    parser.add_argument("--profile", default="gvisor", help="isolation of pods [default: gvisor]")
    parser.add_argument("--input", type=Path, help="folder that pods find at /data/input")
    parser.add_argument("--arguments", help="words for `steelyard evaluate`")
    parser.add_argument("--keys", type=Path, help="file of API keys of models, NAME=VALUE each")
    parser.add_argument("--cycles", type=int, help="planned number of cycles [default: 12000]")
    parser.add_argument("--shards", type=int, help="number of pods [default: 25]")
    parser.add_argument(
        "--cpu-hour-usd", type=float, required=True, help="price of a CPU for an hour"
    )
    parser.add_argument(
        "--gib-hour-usd", type=float, required=True, help="price of a GiB of memory for an hour"
    )
    parser.add_argument("--name", default=f"run-{time.strftime('%Y%m%d-%H%M%S')}")
    parser.add_argument("--out", type=Path, help="folder of results [default: the name]")
    parser.add_argument("--dry-run", action="store_true", help="run on this machine alone")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
