"""`steelyard train`: fine-tune a model on its own programs that pass their tests."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from steelyard.cli._groups import ClosingCommand, DefaultGroup
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_result
from steelyard.cli._progress import progress
from steelyard.errors import InfrastructureError
from steelyard.reports import Code, Text, print_blocks
from steelyard.schemas import Event, Report

Config = Annotated[Path, typer.Argument(metavar="CONFIG", help="YAML file of the run.")]

train = typer.Typer(cls=DefaultGroup, add_completion=False)


@train.callback()
def options() -> None:
    """Fine-tune a language model on its own right programs (RAFT)."""


@train.command(cls=ClosingCommand)
def run(
    config: Config,
    cycles: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="the file's", help="Number of cycles."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Resume the run in this folder where it ended."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read files and tests; load no model.")
    ] = False,
    json: Json = False,
) -> None:
    """Train, cycle by cycle: sample, judge, keep, fine-tune, evaluate."""
    from steelyard.training.raft import (  # noqa: PLC0415
        RAFTTrainer,
        plan_training,
        read_config,
    )

    with progress("reading the configuration") as show:

        def on_event(event: Event) -> None:
            show(event)
            if event.message and not json:
                print_blocks([Text(event.message)], sys.stderr)

        changes: dict[str, Any] = {"num_cycles": cycles, "on_event": on_event}
        if resume is not None:
            changes["output_dir"] = resume.resolve()
        file = read_config(config, **changes)
        if dry_run:
            report: Report = plan_training(
                file.prompts, file.verifier, file.config, resume=resume is not None
            )
        else:
            trainer = RAFTTrainer(file.verifier, file.config)
            with _resumable(config, file.config.output_dir, cycles):
                report = trainer.run(file.prompts, resume=resume is not None)
    _print(report, json=json)


@train.command(cls=ClosingCommand)
def check(config: Config, json: Json = False) -> None:
    """Try everything but the learning on eight prompts."""
    from steelyard.training.raft import check_training, read_config  # noqa: PLC0415

    with progress("loading the model") as on_event:
        file = read_config(config, on_event=on_event)
        report = check_training(file.prompts, file.verifier, file.config)
    _print(report, json=json)


@contextmanager
def _resumable(config: Path, folder: Path, cycles: int | None) -> Iterator[None]:
    """Print how to resume a run that a signal or the machine ends."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, InfrastructureError):
        if (folder / "run.json").exists():
            words = ["steelyard", "train", str(config), "--resume", str(folder)]
            command = shlex.join([*words, "--cycles", str(cycles)] if cycles else words)
            print_blocks([Code(f"resume with {command}")], sys.stderr)
        raise


def _print(report: Report, *, json: bool) -> None:
    print_result(
        report, [Code(str(report)), *(Text(f"note: {note}") for note in report.notes)], json=json
    )
    raise typer.Exit(0 if report.passed else 1)
