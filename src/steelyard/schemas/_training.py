"""Records of a training run: its samples, its cycles, its history."""

from typing import Literal

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._report import Report
from steelyard.schemas._signals import Signals
from steelyard.schemas._verdict import Verdict

TRAINING_VERSION = "1"
"""Of the files in a run's folder."""


class TrainingSample(Record):
    """One completion that a model sampled, and its judgement."""

    prompt: str
    """The prompt's id."""
    sample: int = Field(ge=0)
    """Its number among the prompt's samples, from 0."""
    completion: str
    tokens: int = Field(default=0, ge=0)
    """Length of the completion."""
    ended: bool = True
    """False if the limit on new tokens cut the completion off."""
    reward: float | None = None
    """None before it is judged, and if the infrastructure failed."""
    passed: bool = False
    """True if the program passed every test."""
    verdict: Verdict | None = None
    cases_passed: int = 0
    cases: int = 0
    visible_pass_rate: float | None = None
    """Share of the cases of the category `visible` that passed; None if there are none."""
    hidden_pass_rate: float | None = None
    """The same for all other cases."""
    refused: bool = False
    """True if the policy of sources refused the program."""
    sandbox_attempt: bool = False
    """True if the program reaches out of its sandbox; see `Signals`."""
    reason: str = ""
    """Why there is no program, or no verdict; one line."""


class Stages(Record):
    """Wall time of a cycle's stages, in seconds."""

    sampling: float = 0.0
    judging: float = 0.0
    """Only what is left after sampling: the judge works while the model samples."""
    training: float = 0.0
    evaluating: float = 0.0
    judging_held_out: float = 0.0
    """The same, after `evaluating`."""
    saving: float = 0.0


class HeldOut(Record):
    """Figures on prompts that were never trained on."""

    prompts: int
    samples: int
    """Of each prompt."""
    pass_at_1: float
    interval: tuple[float, float]
    """Of pass@1, at a level of 95 %."""
    pass_at_k: dict[int, float] = Field(default_factory=dict)
    unjudged: int = 0


class TrainingCycle(Record):
    """One cycle of a run. Cycle 0 is the model before any training."""

    cycle: int = Field(ge=0)
    prompts: int = 0
    """Prompts that were sampled."""
    samples: int = 0
    distinct: int = 0
    """Samples that no other sample of the prompt equals."""
    without_code: int = 0
    cut_off: int = 0
    """Samples that reached the limit on new tokens."""
    passed: int = 0
    unjudged: int = 0
    pass_rate: float | None = None
    mean_reward: float | None = None
    solved: int = 0
    """Prompts with a sample that passed."""
    kept: int = 0
    kept_wrong: int = 0
    """Samples that were kept though they failed a test; only `keep: threshold` keeps such."""
    kept_prompts: int = 0
    temperature: float | None = None
    learning_rate: float | None = None
    losses: tuple[float, ...] = ()
    """Training loss at each logged step."""
    batch_size: int = 0
    """Rows of one forward pass; less than configured if memory ran out."""
    tokens: int = 0
    signals: Signals | None = None
    """Signals that the model games its reward, in the cycle's samples."""
    held_out: HeldOut | None = None
    seconds: Stages = Stages()
    notes: tuple[str, ...] = ()


class TrainingHistory(Report):
    """A training run, cycle by cycle."""

    kind: Literal["training"] = "training"
    model: str
    folder: str
    cycles: tuple[TrainingCycle, ...] = ()
    """From cycle 0, the model before training."""
    planned: int = 0
    """Number of cycles to train."""

    @property
    def passed(self) -> bool:
        """True if every planned cycle was trained."""
        return len(self.cycles) == self.planned + 1

    @property
    def best(self) -> TrainingCycle | None:
        """The cycle with the best held-out pass@1; the last one if no prompt was held out."""
        measured = [each for each in self.cycles if each.held_out is not None]
        if not measured:
            return self.cycles[-1] if self.cycles else None
        return max(measured, key=lambda each: (each.held_out or _NOTHING).pass_at_1)

    @property
    def judging_share(self) -> float:
        """Share of the cycles' time that waited for the judge, in 0..1."""
        spent = [each.seconds for each in self.cycles]
        whole = sum(sum(each.model_dump().values()) for each in spent)
        judging = sum(each.judging + each.judging_held_out for each in spent)
        return judging / whole if whole else 0.0

    def _summary(self) -> str:
        lines = [f"{self.model}: {max(len(self.cycles) - 1, 0)} of {self.planned} cycles"]
        first, last = self.cycles[:1], self.cycles[-1:]
        if first and first[0].held_out and last[0].held_out:
            lines.append(
                f"held-out pass@1 {first[0].held_out.pass_at_1:.1%} before, "
                f"{last[0].held_out.pass_at_1:.1%} after"
            )
        samples = sum(each.samples for each in self.cycles)
        if sampling := sum(each.seconds.sampling for each in self.cycles):
            lines.append(
                f"{samples:,} samples, {samples / sampling:,.1f} a second of sampling; "
                f"{self.judging_share:.1%} of the time waited for the judge"
            )
        return "\n".join(lines)


_NOTHING = HeldOut(prompts=0, samples=0, pass_at_1=0.0, interval=(0.0, 0.0))


class TrainingCheck(Report):
    """Plan of a run, and the results of a few prompts."""

    model: str
    prompts: int
    """To train on."""
    held_out: int
    samples_per_cycle: int
    """Largest number of a cycle, without held-out samples."""
    most_kept_per_cycle: int
    cases: int
    """Test cases of all prompts to train on."""
    tried_prompts: int = 0
    """0 if nothing was sampled."""
    tried: int = 0
    """Samples."""
    passed_samples: int = 0
    solved: int = 0
    without_code: int = 0
    cut_off: int = 0
    unjudged: int = 0
    kept: int = 0
    tokens_per_s: float = 0.0
    sampling_s_per_cycle: float = 0.0
    """Estimate, with the held-out samples."""
    judging_s_per_cycle: float = 0.0

    @property
    def passed(self) -> bool:
        """True if a sample passed, or nothing was sampled."""
        return self.passed_samples > 0 or self.tried == 0

    def _summary(self) -> str:
        lines = [
            (
                f"{self.prompts:,} prompts to train on with {self.cases:,} test cases, "
                f"{self.held_out:,} held out"
            ),
            (
                f"each cycle: {self.samples_per_cycle:,} samples, at most "
                f"{self.most_kept_per_cycle:,} kept"
            ),
        ]
        if self.tried:
            lines += [
                (
                    f"{self.passed_samples:,} of {self.tried:,} samples of "
                    f"{self.tried_prompts:,} prompts pass, {self.kept:,} would be kept, "
                    f"{self.cut_off:,} cut off, {self.without_code:,} without code, "
                    f"{self.unjudged:,} without a verdict"
                ),
                (
                    f"{self.tokens_per_s:,.0f} tokens a second; a cycle takes about "
                    f"{self.sampling_s_per_cycle:,.0f} s of sampling and "
                    f"{self.judging_s_per_cycle:,.0f} s of judging, and the training"
                ),
            ]
            if not self.passed_samples:
                lines.append(
                    "no sample passes, so there is nothing to learn from: check the tests by a "
                    "program that is right, raise max_new_tokens, or take a stronger model"
                )
        return "\n".join(lines)
