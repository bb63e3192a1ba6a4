"""The model that a run trains: opened once, sampled and trained in place, saved each cycle.

Whatever is wrong with a model or its tokenizer is one line.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from steelyard._replaced_files import replace
from steelyard.errors import UsageError
from steelyard.runs import disk_faults
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._libraries import free_memory, library, within_memory
from steelyard.training.raft._prompts import TrainingPrompt

Row = dict[str, list[int]]
"""Tokens to learn from, and which of them are the completion's."""


class Completion(NamedTuple):
    """One sampled completion."""

    text: str
    tokens: int
    ended: bool
    """False if the limit on new tokens cut it off."""


class LanguageModel:
    """A causal language model of `transformers` with its tokenizer.

    Args:
        config: Names the model, and how it is sampled and trained.
        checkpoint: The run's latest model, to continue with; None begins with `config.model`.

    Raises:
        UsageError: if there is no such model, or the checkpoint is of another one.
    """

    def __init__(self, config: RAFTConfig, checkpoint: Path | None = None) -> None:
        self._config = config
        self.notes: list[str] = []
        self.batch_size = config.sampling_batch_size
        self.tokenizer = open_tokenizer(config)
        if self.tokenizer.pad_token is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token
            self.notes.append("the tokenizer has no pad token; its end token pads")
        self._saved = checkpoint
        self.model = open_model(config, checkpoint)

    def restore(self) -> None:
        """Open the model again as it was last saved; a training that failed has changed it."""
        del self.model
        free_memory()
        self.model = open_model(self._config, self._saved)

    # ------------------------------------------------------------------------------- sampling

    @property
    def chats(self) -> bool:
        """True if prompts are turns of a conversation."""
        chosen = self._config.chat
        return bool(self.tokenizer.chat_template) if chosen is None else chosen

    def rendered(self, prompt: str, prefix: str = "") -> str:
        """Return the text that the model continues."""
        system = self._config.system_prompt
        if not self.chats:
            return (f"{system}\n\n{prompt}" if system else prompt) + prefix
        turns = [{"role": "system", "content": system}] if system else []
        turns.append({"role": "user", "content": prompt})
        try:
            text = self.tokenizer.apply_chat_template(
                turns, tokenize=False, add_generation_prompt=True
            )
        except Exception as error:  # a template refuses a role by an exception of its own
            raise UsageError(
                f"the chat template cannot render a prompt: {one_line(error)}; change "
                "system_prompt, or set chat to false"
            ) from error
        return str(text) + prefix

    def tokens_of(self, prompt: TrainingPrompt) -> list[int]:
        """Return the tokens that the model continues, the same in sampling and training."""
        text = self.rendered(prompt.text, prompt.prefix)
        tokens: list[int] = self.tokenizer(text, add_special_tokens=not self.chats)["input_ids"]
        return tokens

    def sample(
        self,
        prompts: Sequence[TrainingPrompt],
        temperature: float,
        seed: int,
        max_new_tokens: int,
    ) -> list[Completion]:
        """Return a completion of each prompt, in order.

        If memory runs out, fewer are sampled at once from then on.

        Args:
            prompts: What to complete; a prompt that occurs often is sampled as often.
            temperature: 0 takes the likeliest token each time.
            seed: Of this call.
            max_new_tokens: The longest completion.

        Raises:
            InfrastructureError: if memory runs out for a single text.
        """
        texts = [self.rendered(each.text, each.prefix) for each in prompts]
        library("transformers").set_seed(seed)
        self.model.eval()
        found: list[Completion] = []
        while len(found) < len(texts):
            left = texts[len(found) :]
            completions, size = within_memory(
                partial(self._generate, left, temperature, max_new_tokens),
                self.batch_size,
                free_memory,
                "completion; lower max_new_tokens, or take a smaller model",
            )
            found += completions
            if size < self.batch_size:
                self.batch_size = size
                self.notes.append(
                    f"memory ran out; {size} completions are sampled at once from now on"
                )
        return found

    def _generate(
        self, texts: list[str], temperature: float, max_new_tokens: int, size: int
    ) -> list[Completion]:
        torch = library("torch")
        inputs = self.tokenizer(
            texts[:size], return_tensors="pt", padding=True, add_special_tokens=not self.chats
        ).to(self.model.device)
        choice: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None}
        if temperature > 0:
            choice = {"do_sample": True, "temperature": temperature, "top_p": self._config.top_p}
        with torch.inference_mode():
            out = self.model.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                max_new_tokens=max_new_tokens,
                pad_token_id=self.tokenizer.pad_token_id,
                top_k=None if temperature == 0 else 0,
                repetition_penalty=1.0,  # a model's own defaults would bend its distribution
                use_cache=True,
                stop_strings=list(self._config.stop) or None,
                tokenizer=self.tokenizer,
                **choice,
            )
        width = inputs["input_ids"].shape[1]
        ends = self.model.generation_config.eos_token_id or self.tokenizer.eos_token_id
        return [self._completion(row, ends) for row in out[:, width:].tolist()]

    def _completion(self, row: list[int], ends: int | list[int]) -> Completion:
        stops = {ends} if isinstance(ends, int) else set(ends)
        length = next((at for at, token in enumerate(row) if token in stops), None)
        ended = length is not None
        tokens = row if length is None else row[:length]
        text = str(self.tokenizer.decode(tokens, skip_special_tokens=True))
        ends_at = [text.find(each) for each in self._config.stop if each in text]
        if ends_at:
            return Completion(text[: min(ends_at)], len(tokens), True)
        return Completion(text, len(tokens) + ended, ended)

    def row(self, prompt: TrainingPrompt, completion: str) -> Row:
        """Return a row to learn from: tokens, and which of them are the completion's.

        The completion ends with the end token, so that the model learns to end.
        """
        first = self.tokens_of(prompt)
        rest = self.tokenizer(completion, add_special_tokens=False)["input_ids"]
        rest = [*rest, self.tokenizer.eos_token_id]
        return {"input_ids": first + rest, "completion_mask": [0] * len(first) + [1] * len(rest)}

    def check_lengths(self, prompts: Sequence[TrainingPrompt]) -> None:
        """Refuse prompts that leave no room for a completion.

        Raises:
            UsageError: if one is too long.
        """
        longest = max(len(self.row(each, "")["input_ids"]) for each in prompts)
        if longest >= self._config.max_length:
            raise UsageError(
                f"the longest prompt has {longest:,} tokens, and max_length is "
                f"{self._config.max_length:,}; raise it, or shorten the prompts"
            )

    # ------------------------------------------------------------------------------- saving

    def save(self, folder: Path) -> None:
        """Write the model, or its adapter, and the tokenizer; the folder appears whole.

        Raises:
            ArtefactError: if it cannot be written.
        """
        part = folder.with_name(f".{folder.name}.part")
        with disk_faults(folder):
            shutil.rmtree(part, ignore_errors=True)
            self.model.save_pretrained(part)
            self.tokenizer.save_pretrained(part)
            replace(part, folder)
        self._saved = folder


_MODEL, _ADAPTER = "config.json", "adapter_config.json"
_ADVICE = "give a folder or a name that transformers can load"
_REPEAT = "remove it and the cycle.json of its cycle, to train that cycle again"


def check_folder(model: str) -> None:
    """Refuse a file, or a folder that holds no model, before libraries are imported.

    Raises:
        UsageError: if no model can be there.
    """
    folder = Path(model)
    if folder.is_file():
        raise UsageError(f"model is the file {model}; give the folder of a model, or a name")
    if model.startswith(("/", "./", "../", "~")) and not folder.exists():
        raise UsageError(f"there is no folder {model}; give the folder of a model, or a name")
    if folder.is_dir() and not any((folder / name).exists() for name in (_MODEL, _ADAPTER)):
        raise UsageError(
            f"{model} holds no model: it has neither {_MODEL} nor {_ADAPTER}; give the folder of a "
            "model, or a name"
        )


def open_tokenizer(config: RAFTConfig) -> Any:
    """Return the model's tokenizer.

    Raises:
        UsageError: if there is none, or no completion would end with it.
    """
    name = config.model
    with _opening(name):
        tokenizer = library("transformers").AutoTokenizer.from_pretrained(name, padding_side="left")
    if config.chat and not tokenizer.chat_template:
        raise UsageError(f"the tokenizer of {name} has no chat template; set chat to false")
    if tokenizer.eos_token is None:
        raise UsageError(
            f"the tokenizer of {name} has no end token, so no completion would end; set "
            "eos_token in its tokenizer_config.json"
        )
    return tokenizer


def open_model(config: RAFTConfig, checkpoint: Path | None) -> Any:
    """Return the model, with an adapter to train if the method is LoRA, on a GPU if there is one.

    Args:
        config: Names the model.
        checkpoint: The run's latest model; None begins with the one that is named.

    Raises:
        UsageError: if there is no such model, the checkpoint is of another one, or its weights
            cannot be trained on this machine.
    """
    name, torch = config.model, library("torch")
    base = _base_of(Path(name)) or name
    dtype = "auto" if config.dtype == "auto" else getattr(torch, config.dtype)
    adapter: str | Path | None = None
    if config.method == "lora":
        adapter = checkpoint or (name if base != name else None)
        source = base
        if checkpoint and _base_of(checkpoint) != base:
            raise UsageError(
                f"{checkpoint} is an adapter of {_base_of(checkpoint)}, and the model is "
                f"{base}; choose another output_dir"
            )
    else:
        source = str(checkpoint or base)
    with _opening(source, advice=_REPEAT if source == str(checkpoint) else _ADVICE):
        model = library("transformers").AutoModelForCausalLM.from_pretrained(source, dtype=dtype)
    _check_dtype(model, config, torch)
    if config.method == "full" and base != name and checkpoint is None:
        with _opening(name):
            model = library("peft").PeftModel.from_pretrained(model, name).merge_and_unload()
    if config.method == "lora":
        model = _with_adapter(model, adapter, config)
    return model.to("cuda" if torch.cuda.is_available() else "cpu")


def _check_dtype(model: Any, config: RAFTConfig, torch: Any) -> None:
    """Refuse 16-bit floats that only GPUs train, and only as adapters' base."""
    if model.dtype != torch.float16:
        return
    if not torch.cuda.is_available():
        raise UsageError("weights are float16, which only a GPU trains; set dtype: float32")
    if config.method == "full":
        raise UsageError(
            "weights are float16, whose gradients vanish in full training; set dtype: bfloat16 or "
            "float32, or method: lora"
        )


def _with_adapter(model: Any, adapter: str | Path | None, config: RAFTConfig) -> Any:
    peft = library("peft")
    library("transformers").set_seed(config.fixed_seed())  # an adapter begins at random
    if adapter is not None:
        with _opening(str(adapter), advice=_ADVICE if adapter == config.model else _REPEAT):
            return peft.PeftModel.from_pretrained(model, str(adapter), is_trainable=True)
    chosen = config.lora_target_modules
    settings = peft.LoraConfig(
        r=config.lora_r,
        lora_alpha=config.lora_alpha,
        lora_dropout=config.lora_dropout,
        target_modules="all-linear" if chosen is None else list(chosen),
        task_type="CAUSAL_LM",
    )
    try:
        return peft.get_peft_model(model, settings)
    except ValueError as error:
        raise UsageError(f"lora_target_modules: {one_line(error)}; change them") from error


def _base_of(folder: Path) -> str | None:
    """Return the model that an adapter's folder names; None if it is not an adapter."""
    try:
        return str(json.loads((folder / _ADAPTER).read_text())["base_model_name_or_path"])
    except (OSError, ValueError, KeyError):
        return None


@contextmanager
def _opening(name: str, *, advice: str = _ADVICE) -> Iterator[None]:
    """Turn all that can be wrong with a model into one line.

    Raises:
        UsageError: if it cannot be opened.
    """
    try:
        yield
    except UsageError:
        raise
    # A folder without a model fails in many ways: JSON, keys, shapes, missing files, a name that
    # no registry has.
    except Exception as error:
        raise UsageError(
            f"{name} cannot be opened as a causal language model: {one_line(error)}; {advice}"
        ) from error


def one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
