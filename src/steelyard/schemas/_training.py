"""Training runs: samples, signals of gaming, cycles, history."""

from collections.abc import Iterable
from math import fsum
from typing import Any, Literal, Self

from pydantic import Field

from steelyard.schemas._base import Record
from steelyard.schemas._report import Report
from steelyard.schemas._verdict import Verdict

TRAINING_VERSION = "2"
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


class RewardReport(Report):
    """Health of rewards: whether rows judge rightly, and whether completions differ enough."""

    kind: Literal["rewards"] = "rewards"
    rows: int = 0
    references: int = 0
    """Rows with a right solution that could be judged."""
    failing: tuple[str, ...] = ()
    """Ids of the rows of which no right solution passes."""
    flaky: tuple[str, ...] = ()
    """Ids of the rows that gave one program two verdicts."""
    completions: int = 0
    without_code: int = 0
    """Completions that hold no program: nothing that fits `extraction`, or text outside a fenced
    block that does not compile."""
    unjudged: int = 0
    """Completions without a verdict."""
    groups: int = 0
    """Prompts with two or more judged completions."""
    without_variance: int = 0
    """Groups whose rewards are all equal, which teach a model nothing."""
    always_passed: int = 0
    """Of these, groups in which every completion passes."""
    judging_s: float = 0.0
    """Wall time spent judging. In a run, the model waits for this: the rest is judged meanwhile."""

    @classmethod
    def joined(cls, parts: Iterable["RewardReport"]) -> Self:
        """Return one report of several: counts are summed, and each id is named once."""
        reports = tuple(parts)
        fields: dict[str, Any] = {}
        for name, field in cls.model_fields.items():
            if name not in ("kind", "isolation"):
                total = sum((getattr(each, name) for each in reports), field.default)
                fields[name] = tuple(dict.fromkeys(total)) if isinstance(total, tuple) else total
        return cls(**fields)

    @property
    def passed(self) -> bool:
        """True if no reference fails, no row is flaky, and some groups vary, if there are any."""
        varied = self.without_variance < self.groups or not self.groups
        return varied and not self.failing and not self.flaky

    def _summary(self) -> str:
        parts = []
        if self.references:
            failing = _some(self.failing, self.references)
            parts.append(f"{self.rows:,} rows, and the reference of {failing} fails")
        elif self.rows:
            parts.append(f"{self.rows:,} rows without a reference that could be judged")
        parts.append(f"{_some(self.flaky)} flaky")
        if self.completions:
            empty = self.without_code / self.completions
            parts.append(f"{empty:.1%} of {self.completions:,} completions without code")
            parts.append(f"{self.unjudged:,} without a verdict")
        if self.groups:
            parts.append(f"{self.without_variance:,} of {self.groups:,} groups without variance")
            parts.append(f"{self.always_passed:,} of these always pass")
        return f"rewards: {'; '.join(parts)}; {self.judging_s:,.1f} s of judging"


class LengthBand(Record):
    """Completions of similar length: a quarter of the batch."""

    most_chars: int
    """Length of the longest of them."""
    completions: int
    mean_reward: float


class Signals(Record):
    """Signals of gaming in one batch. None is proof; a sudden rise of one deserves a look."""

    completions: int
    no_verdict: int
    """Completions that have no reward."""
    visible_pass_rate: float | None
    """Mean pass rate of the cases of the category `visible`; None if there are none."""
    hidden_pass_rate: float | None
    """The same for all other cases."""
    memorised: int
    """Completions that pass every visible case and no hidden one."""
    refused: int
    """Programs that the policy of sources refused."""
    sandbox_attempts: int
    """Programs that name other processes, the kernel or the interpreter's own state, that the
    kernel ended for a forbidden call, or that wrote into the harness's answers."""
    repeated: int
    """Completions whose program answers another prompt of the batch too."""
    length_correlation: float | None
    """Rank correlation of length and reward, in -1..1; None if either is the same everywhere."""
    reward_by_length: tuple[LengthBand, ...]
    """From short to long."""

    def to_metrics(self) -> dict[str, float]:
        """Return the figures under names for a trainer's log, such as `gaming/repeated`.

        Counts become shares of the batch, and what is unknown is left out.
        """
        shares = ("no_verdict", "memorised", "refused", "sandbox_attempts", "repeated")
        found = {name: getattr(self, name) / max(self.completions, 1) for name in shares}
        for name in ("visible_pass_rate", "hidden_pass_rate", "length_correlation"):
            value = getattr(self, name)
            if value is not None:
                found[name] = value
        return {f"gaming/{name}": value for name, value in found.items()}


def _some(names: tuple[str, ...], of: int | None = None) -> str:
    """Return a number of rows with up to three of their ids."""
    number = f"{len(names):,}" if of is None else f"{len(names):,} of {of:,}"
    shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
    return f"{number} ({shown})" if names else number


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

    @property
    def took_s(self) -> float:
        """The wall time of all stages."""
        return fsum(self.model_dump().values())

    @property
    def judge_s(self) -> float:
        """The wall time that waited for the judge."""
        return self.judging + self.judging_held_out


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

    def __str__(self) -> str:
        middle, low, high = (100 * each for each in (self.pass_at_1, *self.interval))
        return f"{middle:.0f} % ({low:.0f} to {high:.0f} %)"


class TrainingCycle(Record):
    """One cycle of a run. Cycle 0 is the model before any training."""

    cycle: int = Field(ge=0)
    prompts: int = 0
    """Prompts that were sampled."""
    samples: int = 0
    distinct: int = 0
    """Samples that no other sample of the prompt equals."""
    cut_off: int = 0
    """Samples that reached the limit on new tokens."""
    passed: int = 0
    rewards: RewardReport = RewardReport()
    """Of the cycle's samples; in cycle 0, of the references of all prompts."""
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

    @property
    def last_loss(self) -> float | None:
        """Training loss at the last logged step; None if nothing was logged."""
        return self.losses[-1] if self.losses else None


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
    def rewards(self) -> RewardReport:
        """Health of the rewards of all cycles."""
        return RewardReport.joined(each.rewards for each in self.cycles)

    @property
    def judging_share(self) -> float:
        """Share of the cycles' time that waited for the judge, in 0..1."""
        whole = sum(each.seconds.took_s for each in self.cycles)
        return sum(each.seconds.judge_s for each in self.cycles) / whole if whole else 0.0

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
        if self.cycles:
            lines.append(str(self.rewards))
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
    cut_off: int = 0
    kept: int = 0
    rewards: RewardReport = RewardReport()
    """Of all prompts' references, and of the samples, each judged twice."""
    tokens_per_s: float = 0.0
    sampling_s_per_cycle: float = 0.0
    """Estimate, with the held-out samples."""
    judging_s_per_cycle: float = 0.0

    @property
    def passed(self) -> bool:
        """True if nothing was sampled; or a sample passed, no reference fails, no row is flaky."""
        healthy = not self.rewards.failing and not self.rewards.flaky
        return self.tried == 0 or (healthy and self.passed_samples > 0)

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
                    f"{self.cut_off:,} cut off"
                ),
                str(self.rewards),
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
