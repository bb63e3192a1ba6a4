"""One run, cycle by cycle and stage by stage; each stage resumes where it was interrupted.

A run reports its stage, its share and the time that is left to a callback, and its figures to
TensorBoard and Weights & Biases, if the options name them.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from steelyard.errors import TrainingError
from steelyard.judging import ExecutionVerifier
from steelyard.reports import counted, page, percent
from steelyard.runs import read_record
from steelyard.schemas import Event, Stages, TrainingCycle, TrainingHistory, TrainingSample
from steelyard.training._reward_policies import at_step
from steelyard.training.raft._collecting import Collection, Known, Sampler, collect
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._figures import (
    check_references,
    figures_of,
    held_out_of,
    signals_in,
    stats_after,
    too_little,
)
from steelyard.training.raft._folder import RaftFolder, lines_of
from steelyard.training.raft._language_model import LanguageModel
from steelyard.training.raft._learning import Learned, learn
from steelyard.training.raft._libraries import check_libraries, library
from steelyard.training.raft._prompts import TrainingPrompt
from steelyard.training.raft._selection import PromptStats, choose_prompts, keep_samples, stats_json
from steelyard.training.raft._server import ServerSampler
from steelyard.training.raft._view import view

_EVALUATION_SEED = 500_000
_SEEDS_OF_A_RUN = 1_000_000
_WARNING = (
    "keep threshold keeps programs that are wrong: with the reward ladder, whatever compiles has a "
    "reward of 0.5; keep passing keeps right programs only"
)


class TrainingRun:
    """A run in its folder.

    Args:
        config: The options.
        verifier: Judges.
        prompts: To train on.
        held_out: Never trained on.
        folder: Open for writing.
        stats: Of prompts, from earlier runs.
        begun: When the call began, by the monotonic clock, in seconds.
    """

    def __init__(
        self,
        config: RAFTConfig,
        verifier: ExecutionVerifier,
        prompts: Sequence[TrainingPrompt],
        held_out: Sequence[TrainingPrompt],
        folder: RaftFolder,
        stats: Mapping[str, PromptStats],
        begun: float,
    ) -> None:
        self._config, self._verifier, self._folder = config, verifier, folder
        self._prompts, self._held_out = prompts, held_out
        self._by_id = {each.id: each for each in prompts}
        self._stats, self._begun = dict(stats), begun
        self._known: Known = {}
        self._held_known: Known = {}
        self._cycles = list(folder.done())
        self._seconds: dict[str, float] = {}
        last, checkpoint = folder.checkpoint() or (0, None)
        self._trained = last
        self._progress = CycleProgress(config, self._cycles)
        self._progress.report("loading the model")
        check_libraries(config.report_to)
        self._model = LanguageModel(config, checkpoint)
        self._model.check_lengths(prompts)
        self._sampler: Sampler = self._model
        if config.sampler == "server":
            self._sampler = ServerSampler(config, self._model, checkpoint)
        self._trackers = open_trackers(config, folder.path)

    def finish(self) -> TrainingHistory:
        """Do what is left of the run, and return its history.

        Raises:
            TrainingError: if a cycle keeps too little, or the loss is not a number.
            InfrastructureError: if the machine failed.
        """
        try:
            for cycle in self._cycles[1:]:
                judged = self._folder.samples(f"cycle_{cycle.cycle}/judged.jsonl")
                self._stats = stats_after(self._stats, judged)
            for number in range(len(self._cycles), self._config.num_cycles + 1):
                self._seconds = {}
                self._progress.begin(number)
                done = self._first_look() if number == 0 else self._one_cycle(number)
                self._complete(done)
            return self._written()
        finally:
            for each in self._trackers:
                each.close()

    # ------------------------------------------------------------------------------- a cycle

    def _first_look(self) -> TrainingCycle:
        """Judge the prompts' own solutions, and evaluate the model before any training."""
        self._progress.report("judging the prompts' own solutions")
        with self._timed("judging"):
            rewards = check_references((*self._prompts, *self._held_out), self._verifier)
        samples = self._collected(0, self._held_out, held_out=True)
        return TrainingCycle(
            cycle=0,
            rewards=rewards,
            held_out=held_out_of(samples, self._config),
            seconds=self._stages(),
            notes=self._new_notes(),
        )

    def _one_cycle(self, number: int) -> TrainingCycle:
        config = self._config
        chosen = choose_prompts(self._prompts, config, number, self._stats)
        judged = self._collected(number, chosen)
        kept = keep_samples(judged, config, number)
        self._folder.write(f"cycle_{number}/kept.jsonl", lines_of(kept))
        self._stats = stats_after(self._stats, judged)
        figures = figures_of(number, judged, kept, config, self._seconds["judging"])
        if len(kept) < config.min_samples_per_cycle:
            raise TrainingError(too_little(figures, judged, config))
        learned = self._learned(number, kept)
        evaluated = self._collected(number, self._held_out, held_out=True)
        return figures.model_copy(
            update={
                "losses": learned.losses,
                "batch_size": learned.batch_size,
                "signals": signals_in(judged, self._by_id),
                "held_out": held_out_of(evaluated, config),
                "seconds": self._stages(),
                "notes": (*learned.notes, *self._new_notes()),
            }
        )

    def _collected(
        self, number: int, prompts: Sequence[TrainingPrompt], *, held_out: bool = False
    ) -> list[TrainingSample]:
        """Sample prompts and judge; what an interrupted run has sampled or judged stays."""
        if not prompts:
            return []
        config = self._config
        known = self._held_known if held_out else self._known
        if at_step(self._verifier.reward, number) is not self._verifier.reward:
            known.clear()  # the same program earns another reward in this cycle
        what = Collection(
            prompts=prompts,
            each=config.samples_per_prompt,
            temperature=config.temperature_of(number),
            seed=(config.fixed_seed() * _SEEDS_OF_A_RUN + number) % (1 << 31),
            step=number,
            files=(f"cycle_{number}/samples.jsonl", f"cycle_{number}/judged.jsonl"),
            stages=("sampling", "judging"),
        )
        if held_out:
            what = what._replace(
                each=config.held_out_samples,
                temperature=config.held_out_temperature,
                seed=what.seed + _EVALUATION_SEED,
                files=(f"cycle_{number}/held_out_samples.jsonl", f"cycle_{number}/held_out.jsonl"),
                stages=("evaluating", "judging_held_out"),
            )
        begun, part = time.monotonic(), 3 if held_out else 0
        judged, waited = collect(
            what,
            self._folder,
            self._sampler,
            self._verifier,
            config,
            known,
            lambda line, share: self._progress.report(line, share, part),
        )
        self._took(what.stages[0], time.monotonic() - begun - waited)
        self._took(what.stages[1], waited)
        return judged

    def _learned(self, number: int, kept: Sequence[TrainingSample]) -> Learned:
        folder = self._folder.path / f"cycle_{number}"
        figures = folder / "learned.json"
        if self._trained >= number:  # interrupted between the training and the end of the cycle
            self._folder.drop_trainer(number)
            return read_record(figures, Learned) if figures.exists() else Learned()
        before = self._steps()
        lessons = [self._model.row(self._by_id[each.prompt], each.completion) for each in kept]

        def on_step(step: int, steps: int, loss: float) -> None:
            line = f"training, step {step} of {steps}, loss {loss:.3f}"
            self._progress.report(line, step / steps, 2)
            self._track({"loss": loss}, before + step)

        with self._timed("training"):
            learned = learn(
                self._model,
                lessons,
                self._config,
                cycle=number,
                folder=folder / "trainer",
                on_step=on_step,
            )
        self._folder.write(f"cycle_{number}/learned.json", learned.model_dump_json())
        with self._timed("saving"):
            self._model.save(folder / "model")
        self._folder.drop_trainer(number)
        self._trained = number
        if isinstance(self._sampler, ServerSampler):
            self._sampler.load(folder / "model")
        return learned

    # ------------------------------------------------------------------------------- the record

    def _complete(self, done: TrainingCycle) -> None:
        """Write a cycle's figures: from then on it is complete."""
        self._folder.write(f"cycle_{done.cycle}/cycle.json", done.model_dump_json(indent=1))
        self._cycles.append(done)
        history = self._written()
        self._track(cycle_figures(done), self._steps())
        best = {history.best.cycle} if history.best else set()
        first = max(1, done.cycle - self._config.keep_checkpoints + 1)
        self._folder.drop_models(best | set(range(first, done.cycle + 1)))
        self._progress.complete(done)

    def _written(self) -> TrainingHistory:
        """Write the run's files, and return its history."""
        history = TrainingHistory(
            model=self._config.model,
            folder=str(self._folder.path),
            cycles=tuple(self._cycles),
            planned=self._config.num_cycles,
            notes=(
                *((_WARNING,) if self._config.keep == "threshold" else ()),
                *(note for each in self._cycles for note in each.rewards.notes),
            ),
            seconds=time.monotonic() - self._begun,
        )
        self._folder.write("history.json", history.to_json())
        self._folder.write("prompt_stats.json", stats_json(self._stats))
        last = self._cycles[-1].cycle if self._cycles else 0
        shown = self._folder.samples(f"cycle_{last}/judged.jsonl") if last else []
        texts = {name: each.text for name, each in self._by_id.items()}
        self._folder.write("report.html", page("RAFT run", view(history, shown, texts)))
        return history

    def _track(self, figures: Mapping[str, float], step: int) -> None:
        for each in self._trackers:
            each.log(figures, step)

    def _new_notes(self) -> tuple[str, ...]:
        notes, self._model.notes = tuple(self._model.notes), []
        return notes

    def _steps(self) -> int:
        """Return the number of training steps of all complete cycles."""
        return sum(len(each.losses) for each in self._cycles)

    def _stages(self) -> Stages:
        return Stages(**{name: round(each, 3) for name, each in self._seconds.items()})

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        begun = time.monotonic()
        try:
            yield
        finally:
            self._took(stage, time.monotonic() - begun)

    def _took(self, stage: str, seconds: float) -> None:
        self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds


_STAGES = 4
"""Of a cycle: sampling with judging, the rest of judging, training, evaluating."""


class CycleProgress:
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
