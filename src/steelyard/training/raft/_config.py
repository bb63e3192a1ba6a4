"""Options of a RAFT run."""

import secrets
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from steelyard.errors import UsageError
from steelyard.options import RunOptions
from steelyard.training._extraction import Extraction

Share = Annotated[float, Field(gt=0, le=1)]
Count = Annotated[int, Field(ge=1)]
Temperature = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]


class RAFTConfig(RunOptions):
    """Options of a RAFT run: sample, judge, keep, fine-tune, evaluate; cycle by cycle.

    The verifier has the pool and the limits, so `pool` and `limits` are refused here.
    """

    bounds: ClassVar[tuple[str, ...]] = ("num_cycles", "keep_checkpoints", "report_to")

    model: str = ""
    """Folder or name of a causal language model of `transformers`, or of a LoRA adapter."""
    seed: int | None = Field(default=0, ge=0, lt=1 << 31)
    """Seed of everything; None draws one, which `seed` then holds."""
    output_dir: Path = Path("raft")
    """The run's folder."""
    num_cycles: int = Field(default=6, ge=1, le=1_000)

    held_out: Share | Path | None = 0.1
    """Share of the prompts, or a file of further prompts, that are never trained on."""
    held_out_samples: Count = 1
    held_out_temperature: Temperature = 0.0
    """0 takes the likeliest token each time."""

    samples_per_prompt: int = Field(default=8, ge=1, le=10_000)
    temperature: Temperature = 0.8
    temperature_end: Temperature | None = None
    """Temperature of the last cycle; it changes in equal steps. None keeps it."""
    top_p: Share = 1.0
    max_new_tokens: Count = 512
    stop: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Texts at which a completion ends; they are no part of it."""
    sampling_batch_size: Count = 16
    """Completions that are sampled at once."""
    sampler: Literal["transformers", "server"] = "transformers"
    """`server` asks an OpenAI-compatible server, such as vLLM's."""
    server_url: str = "http://127.0.0.1:8000/v1"
    system_prompt: str = ""
    chat: bool | None = None
    """Use the tokenizer's chat template; None does if it has one."""
    extraction: Extraction = "reply"
    """Rule that takes the program out of a completion; see `reward`."""

    keep: Literal["passing", "threshold"] = "passing"
    """`passing` keeps distinct samples that pass every test, `keep_per_prompt` of each prompt.
    `threshold` keeps samples with `reward_threshold` or more, of these the best
    `keep_top_percent`."""
    keep_per_prompt: Count = 2
    reward_threshold: float = Field(default=0.5, ge=0, le=1)
    reward_threshold_end: float | None = Field(default=None, ge=0, le=1)
    """Threshold of the last cycle; it changes in equal steps. None keeps it."""
    keep_top_percent: Share = 0.5
    """A share, from 0 to 1."""
    min_samples_per_cycle: Count = 1
    """A cycle that keeps fewer ends the run: there is nothing to learn from."""

    method: Literal["lora", "full"] = "lora"
    train_epochs: Count = 2
    train_batch_size: Count = 2
    gradient_accumulation_steps: Count = 16
    learning_rate: float = Field(default=5e-5, gt=0, lt=1)
    lr_decay_per_cycle: float = Field(default=0.85, gt=0, le=1)
    min_lr: float = Field(default=1e-6, ge=0, lt=1)
    warmup_steps: int = Field(default=10, ge=0)
    """Half of a cycle's steps at most."""
    max_length: Count = 2_048
    """Tokens of a prompt with its completion; longer samples are not trained on."""
    lora_r: Count = 16
    lora_alpha: Count = 32
    lora_dropout: float = Field(default=0.05, ge=0, lt=1)
    lora_target_modules: tuple[str, ...] | None = None
    """None or `all-linear` is all linear layers."""
    gradient_checkpointing: bool = False
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Of the weights; `auto` is the model's own."""

    curriculum: Literal["none", "difficulty", "progressive", "adaptive", "historical"] = "none"
    curriculum_share: Share = 0.5
    """For `adaptive` and `historical`, the share of prompts in each cycle after the first."""
    curriculum_start: Share = 0.2
    """For `progressive`, the share of the easiest prompts in the first cycle."""
    curriculum_increment: Share = 0.2
    """For `progressive`, what each cycle adds."""
    curriculum_stats: Path | None = None
    """For `historical`, `prompt_stats.json` of an earlier run."""

    keep_checkpoints: Count = 2
    """Models that stay: those of the last cycles, and the best one."""
    report_to: tuple[Literal["tensorboard", "wandb"], ...] = ()

    @field_validator("stop", "report_to", "lora_target_modules", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        """Take a single text as a list of it, as people write it in YAML."""
        return (value,) if isinstance(value, str) else value

    @field_validator("model", mode="before")
    @classmethod
    def _folder_as_text(cls, value: object) -> object:
        return str(value) if isinstance(value, Path) else value

    @field_validator("seed", mode="after")
    @classmethod
    def _drawn_once(cls, value: int | None) -> int:
        return secrets.randbelow(1 << 31) if value is None else value

    @field_validator("lora_target_modules", mode="before")
    @classmethod
    def _all_linear(cls, value: object) -> object:
        return None if value == "all-linear" else value  # the word of PEFT

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.curriculum == "historical" and self.curriculum_stats is None:
            raise UsageError(
                "curriculum historical needs curriculum_stats: prompt_stats.json of an earlier run"
            )
        if self.pool is not None or self.limits is not None:
            raise UsageError("the verifier judges; give pool and limits to ExecutionVerifier")
        if self.min_lr > self.learning_rate:
            raise UsageError(
                f"min_lr is {self.min_lr:g}, above learning_rate {self.learning_rate:g}; lower it"
            )
        if not self.server_url.startswith(("http://", "https://")):
            raise UsageError(
                f"server_url must begin with http:// or https://, got {self.server_url!r}"
            )
        if self.sampler == "server" and self.method != "lora":
            raise UsageError("sampler server needs method lora, whose adapters a server can load")
        return self

    def at(self, cycle: int, first: float, last: float | None) -> float:
        """Return a value that goes in equal steps from the first cycle's to the last cycle's."""
        if last is None or self.num_cycles == 1:
            return first
        return first + (last - first) * (min(cycle, self.num_cycles) - 1) / (self.num_cycles - 1)

    def temperature_of(self, cycle: int) -> float:
        """Return the temperature of a cycle, from 1."""
        return self.at(cycle, self.temperature, self.temperature_end)

    def threshold_of(self, cycle: int) -> float:
        """Return the reward that `keep: threshold` asks for in a cycle, from 1."""
        return self.at(cycle, self.reward_threshold, self.reward_threshold_end)

    def learning_rate_of(self, cycle: int) -> float:
        """Return the learning rate of a cycle, from 1."""
        return max(self.learning_rate * self.lr_decay_per_cycle ** (cycle - 1), self.min_lr)

    def shaping(self) -> dict[str, Any]:
        """Return what shapes a run: all but its bounds and its folder."""
        return self.model_dump(mode="json", exclude={"output_dir", *self.bounds})
