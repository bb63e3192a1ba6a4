"""The libraries of the extra `train`: imported late, and named if they are missing."""

import gc
import importlib
import importlib.util
import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from steelyard._installation import install_command, packages_command
from steelyard.errors import InfrastructureError, UsageError

R = TypeVar("R")

_TRACKERS = ("tensorboard", "wandb")
"""Packages that are no part of the extra."""


def library(name: str) -> Any:
    """Return a module of the extra `train`.

    Raises:
        UsageError: if it is not installed.
    """
    # Progress bars and notices of these libraries would run into the command's own lines.
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise _missing((error.name or name).partition(".")[0]) from error
    if name == "transformers":
        # Of its own calls among these libraries, which no reader can change.
        warnings.filterwarnings("ignore", category=FutureWarning, module=r"transformers\.")
        module.utils.logging.set_verbosity_error()
        module.utils.logging.disable_progress_bar()
    if name == "datasets":
        module.disable_progress_bars()
    return module


def check_libraries(trackers: Iterable[str] = ()) -> None:
    """Find what learning needs, without the seconds that its import takes.

    Args:
        trackers: Packages that get the figures of a run.

    Raises:
        UsageError: if a library is not installed.
    """
    for name in (*trackers, "torch", "transformers", "accelerate", "datasets", "peft", "trl"):
        if importlib.util.find_spec(name) is None:
            raise _missing(name)


def _missing(name: str) -> UsageError:
    command = packages_command(name) if name in _TRACKERS else install_command("train")
    return UsageError(f"{name} is not installed; run: {command}")


def free_memory() -> None:
    """Give an accelerator's memory back that nothing uses; trainers hold themselves in circles."""
    gc.collect()
    library("torch").cuda.empty_cache()


def within_memory(
    work: Callable[[int], R], size: int, again: Callable[[], None], advice: str
) -> tuple[R, int]:
    """Do work on a batch; if an accelerator's memory runs out, again on half of it.

    Args:
        work: Takes the batch's size.
        size: The size to begin with.
        again: Called before each further try.
        advice: What to do if a single item does not fit.

    Returns:
        The work's result, and the size at which it succeeded.

    Raises:
        InfrastructureError: if memory runs out for a single item.
    """
    while True:
        try:
            return work(size), size
        except library("torch").OutOfMemoryError as error:
            if size == 1:
                raise InfrastructureError(f"memory ran out for a single {advice}") from error
        size //= 2
        again()  # after the handler, which holds what the failed call held
