"""TensorBoard and Weights & Biases, where they are asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from steelyard.schemas import TrainingCycle
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._libraries import library

__all__ = ["Tracker", "cycle_figures", "open_trackers"]


class Tracker(Protocol):
    """A place for figures over steps."""

    def log(self, figures: Mapping[str, float], step: int) -> None:
        """Add figures."""

    def close(self) -> None:
        """Write what is left."""


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


class _TensorBoard:
    def __init__(self, folder: Path) -> None:
        writer = library("torch.utils.tensorboard").SummaryWriter
        self._writer: Any = writer(str(folder / "tensorboard"))

    def log(self, figures: Mapping[str, float], step: int) -> None:
        for name, value in figures.items():
            self._writer.add_scalar(name, value, step)

    def close(self) -> None:
        self._writer.close()


class _WeightsAndBiases:
    def __init__(self, config: RAFTConfig, folder: Path) -> None:
        self._run: Any = library("wandb").init(
            dir=str(folder), config=config.shaping(), name=folder.name
        )

    def log(self, figures: Mapping[str, float], step: int) -> None:
        self._run.log(dict(figures), step=step)

    def close(self) -> None:
        self._run.finish()


def open_trackers(config: RAFTConfig, folder: Path) -> list[Tracker]:
    """Return the trackers that the options name.

    Steps are those of the whole run, so a run that is resumed continues its curves.

    Raises:
        UsageError: if one is not installed.
    """
    trackers: list[Tracker] = []
    if "tensorboard" in config.report_to:
        trackers.append(_TensorBoard(folder))
    if "wandb" in config.report_to:
        trackers.append(_WeightsAndBiases(config, folder))
    return trackers
