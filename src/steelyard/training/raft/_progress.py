"""Report what a run does: its stage, its share, the time that is left."""

import time
from collections.abc import Sequence

from steelyard.rendering import counted, percent
from steelyard.schemas import Event, TrainingCycle
from steelyard.training.raft._config import RAFTConfig

_STAGES = 4
"""Of a cycle: sampling with judging, the rest of judging, training, evaluating."""


class Progress:
    """Reports a run's events to its callback.

    Args:
        config: Has the callback and the number of cycles.
        cycles: The complete cycles, to which the run adds.
    """

    def __init__(self, config: RAFTConfig, cycles: Sequence[TrainingCycle]) -> None:
        self._config, self._cycles = config, cycles
        self.begin(0)

    def begin(self, cycle: int) -> None:
        """Begin a cycle."""
        self._cycle, self._begun = cycle, time.monotonic()

    def report(self, stage: str, share: float = 0.0, part: int = 0, message: str = "") -> None:
        """Report what happens.

        Args:
            stage: One line.
            share: Share of the cycle's part that is done, in 0..1.
            part: Part of the cycle, from 0; all count alike.
            message: A line that stays.
        """
        whole = self._cycle + (part + min(share, 1.0)) / _STAGES
        self._config.emit(
            Event(
                job="train",
                stage=f"{stage}{self._left()}",
                message=message,
                share=min(whole / (self._config.num_cycles + 1), 1.0),
                iteration=self._cycle,
            )
        )

    def complete(self, done: TrainingCycle) -> None:
        """Report the figures of a cycle."""
        parts = [f"cycle {done.cycle} of {self._config.num_cycles}"]
        if done.samples:
            parts.append(f"{percent(done.pass_rate or 0.0)} of {done.samples:,} samples pass")
            parts.append(f"{counted(done.kept, 'sample')} kept")
        if done.rewards.failing:
            parts.append(f"{counted(len(done.rewards.failing), 'reference')} failed")
        if done.losses:
            parts.append(f"loss {done.losses[0]:.3f} to {done.losses[-1]:.3f}")
        if done.held_out is not None:
            parts.append(f"held-out pass@1 {percent(done.held_out.pass_at_1)}")
        self._begun = time.monotonic()  # what is left begins now
        story = f"{', '.join(parts)}{self._left()}"
        self.report(f"cycle {done.cycle} is complete", 1.0, _STAGES - 1, story)

    def _left(self) -> str:
        """Return the time that is left, if a trained cycle has shown how long one takes."""
        cycles = self._config.num_cycles + 1 - len(self._cycles)
        if len(self._cycles) < 2 or not cycles:
            return ""
        seconds = cycles * sum(self._cycles[-1].seconds.model_dump().values())
        seconds -= time.monotonic() - self._begun
        if seconds < 1:  # this cycle is slower than the last one
            return ""
        return f", about {seconds / 60:.0f} min left" if seconds > 90 else f", {seconds:.0f} s left"
