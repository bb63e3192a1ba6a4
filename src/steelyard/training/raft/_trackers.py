"""TensorBoard and Weights & Biases, if the options name them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from steelyard.schemas import TrainingCycle
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._libraries import library


class Tracker(NamedTuple):
    """A service for figures over steps."""

    log: Callable[[Mapping[str, float], int], object]
    """Adds the figures of a step."""
    close: Callable[[], object]
    """Writes what is left."""


def cycle_figures(done: TrainingCycle) -> dict[str, float]:
    """Return the figures of a cycle under names for a tracker."""
    held, groups = done.held_out, max(done.rewards.groups, 1)
    figures = {
        "cycle/number": float(done.cycle),
        "cycle/pass_rate": done.pass_rate,
        "cycle/mean_reward": done.mean_reward,
        "cycle/kept": float(done.kept),
        "cycle/without_variance": done.rewards.without_variance / groups,
        "cycle/held_out_pass_at_1": held.pass_at_1 if held else None,
    }
    known = {name: value for name, value in figures.items() if value is not None}
    return known | (done.signals.to_metrics() if done.signals else {})


def open_trackers(config: RAFTConfig, folder: Path) -> list[Tracker]:
    """Return the trackers that the options name.

    Steps are those of the whole run, so a run that is resumed continues its curves.

    Raises:
        UsageError: if one is not installed.
    """
    trackers = []
    if "tensorboard" in config.report_to:
        writer = library("torch.utils.tensorboard").SummaryWriter(str(folder / "tensorboard"))

        def log(figures: Mapping[str, float], step: int) -> None:
            for name, value in figures.items():
                writer.add_scalar(name, value, step)

        trackers.append(Tracker(log, writer.close))
    if "wandb" in config.report_to:
        run = library("wandb").init(dir=str(folder), config=config.shaping(), name=folder.name)
        trackers.append(Tracker(lambda each, step: run.log(dict(each), step=step), run.finish))
    return trackers
