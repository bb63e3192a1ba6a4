"""Options of a RAFT run, and the YAML file that configures one."""

import difflib
import inspect
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field, field_validator, model_validator

from steelyard.errors import UsageError
from steelyard.judging import ExecutionVerifier
from steelyard.options import RunOptions
from steelyard.sandbox import shared_pool
from steelyard.schemas import Limits, RepeatedKeyError
from steelyard.training._reward_policies import policy_of
from steelyard.training._score_completions import IN_FLIGHT, Extraction
from steelyard.training.raft._libraries import library

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


_TOP = ("model", "prompts", "held_out", "output_dir", "verifier", "raft")
_NOT_IN_FILES = {"self", "checker", "pool"}
_ELSEWHERE = {"model", "output_dir", "held_out", "on_event", "pool", "limits"}
_MOST_BYTES = 16 << 20


class TrainingFile(NamedTuple):
    """Contents of a file."""

    config: RAFTConfig
    verifier: ExecutionVerifier
    prompts: Path


def read_config(file: Path, **changes: Any) -> TrainingFile:
    """Return the contents of a file; its paths are relative to its folder.

    The file has `model` and `prompts`, and optionally `held_out` and `output_dir`; `verifier`, with
    `type: execution` and the arguments of `ExecutionVerifier`; and `raft`, with the other fields of
    `RAFTConfig`.

    Args:
        file: The file.
        changes: Fields of `RAFTConfig` that take the place of the file's.

    Raises:
        UsageError: if it cannot be read; the message names the key, and the nearest known one.
    """
    top = _mapping(_parsed(file), str(file), _TOP)
    for name in ("model", "prompts"):
        if not isinstance(top.get(name), str):
            raise UsageError(f"{file}: {name} is missing or no text; add {name}: ...")
    raft = _mapping(
        top.get("raft") or {},
        f"{file}: raft",
        [name for name in RAFTConfig.model_fields if name not in _ELSEWHERE],
    )
    fields = {"output_dir": str(RAFTConfig.model_fields["output_dir"].default), **raft}
    fields |= {name: top[name] for name in ("held_out", "output_dir") if name in top}
    folder = file.resolve().parent
    for name in ("held_out", "curriculum_stats", "output_dir"):
        if isinstance(fields.get(name), str):
            fields[name] = folder / fields[name]
    nearby = folder / top["model"]
    fields["model"] = str(nearby) if nearby.is_dir() else top["model"]
    try:
        config = RAFTConfig.of(**fields)
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from error
    changed = {name: each for name, each in changes.items() if each is not None}
    return TrainingFile(
        RAFTConfig.of(**{**fields, **changed}) if changed else config,
        _verifier(top.get("verifier") or {}, file),
        folder / top["prompts"],
    )


def _parsed(file: Path) -> Any:
    yaml = library("yaml")
    try:
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(f"{file} has over {_MOST_BYTES >> 20} MiB; put prompts in files")
        return yaml.load(data.decode("utf-8-sig"), _loader(yaml, file))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}; give a YAML file") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8; give a YAML file") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"{file} is not YAML: {reason}; correct this line") from error


def _loader(yaml: Any, file: Path) -> Any:
    """Return a loader that refuses a key which appears twice; PyYAML would take its last value."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        def compose_mapping_node(self, anchor: Any) -> Any:
            node = super().compose_mapping_node(anchor)
            keys = set[tuple[str, str]]()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    continue
                if (key.tag, key.value) in keys:
                    line = key.start_mark.line + 1
                    raise UsageError(f"{file}:{line}: {RepeatedKeyError(key.value)}")
                keys.add((key.tag, key.value))
            return node

    return Loader


def _mapping(value: Any, position: str, known: Iterable[str]) -> dict[str, Any]:
    """Return an object whose keys are all known.

    Raises:
        UsageError: if it is not one, or has an unknown key.
    """
    if not isinstance(value, Mapping):
        raise UsageError(
            f"{position} must hold keys, got {value!r:.60}; see the reference of train"
        )
    names = list(known)
    for name in value:
        if name not in names:
            close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.0)
            raise UsageError(f"{position} has an unknown key {name!r}; the nearest is {close[0]!r}")
    return dict(value)


def _verifier(value: Any, file: Path) -> ExecutionVerifier:
    known = [
        name
        for name in inspect.signature(ExecutionVerifier).parameters
        if name not in _NOT_IN_FILES
    ]
    fields = _mapping(value, f"{file}: verifier", ["type", *known])
    kind = fields.pop("type", "execution")
    if kind != "execution":
        raise UsageError(f"{file}: verifier type is {kind!r}; the only one is execution")
    for name in ("test_cases", "binary_cache_dir"):
        if isinstance(fields.get(name), str):
            fields[name] = file.resolve().parent / fields[name]
    # A batch is to fill the machine; the verifier's own default is for calls of a few programs.
    fields.setdefault("max_workers", IN_FLIGHT * shared_pool().size)
    try:
        if fields.get("limits") is not None:
            fields["limits"] = Limits(**_mapping(fields["limits"], "limits", Limits.model_fields))
        if fields.get("reward") is not None:
            fields["reward"] = policy_of(fields["reward"])
        return ExecutionVerifier(**fields)
    except UsageError as error:
        raise type(error)(f"{file}: verifier: {error}") from error
