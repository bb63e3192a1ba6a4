"""The model that a run trains: loaded once, sampled and trained in place, saved each cycle."""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from steelyard.errors import InfrastructureError, UsageError
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._folder import disk_faults
from steelyard.training.raft._libraries import is_out_of_memory, library
from steelyard.training.raft._prompts import TrainingPrompt

__all__ = ["Completion", "LanguageModel", "check_folder"]

_MODEL, _ADAPTER = "config.json", "adapter_config.json"
_ADVICE = "give a folder or a name that transformers can load"
_REPEAT = "remove it and the cycle.json of its cycle, to train that cycle again"


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
        self.tokenizer = self._open_tokenizer()
        self.model = self._open(checkpoint)
        self.model.to("cuda" if library("torch").cuda.is_available() else "cpu")

    # ------------------------------------------------------------------------------- opening

    def _open_tokenizer(self) -> Any:
        transformers = library("transformers")
        name = self._config.model
        with _opening(name):
            tokenizer = transformers.AutoTokenizer.from_pretrained(name, padding_side="left")
        if self._config.chat and not tokenizer.chat_template:
            raise UsageError(f"the tokenizer of {name} has no chat template; set chat to false")
        if tokenizer.eos_token is None:
            raise UsageError(
                f"the tokenizer of {name} has no end token, so no completion would end; set "
                "eos_token in its tokenizer_config.json"
            )
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
            self.notes.append("the tokenizer has no pad token; its end token pads")
        return tokenizer

    def _open(self, checkpoint: Path | None) -> Any:
        """Return the model, with an adapter to train if the method is LoRA."""
        config, name = self._config, self._config.model
        torch = library("torch")
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
            model = library("transformers").AutoModelForCausalLM.from_pretrained(
                source, dtype=dtype
            )
        if config.method == "full" and base != name and checkpoint is None:
            with _opening(name):
                model = library("peft").PeftModel.from_pretrained(model, name).merge_and_unload()
        if config.method == "lora":
            model = self._with_adapter(model, adapter)
        return model

    def _with_adapter(self, model: Any, adapter: str | Path | None) -> Any:
        peft, config = library("peft"), self._config
        library("transformers").set_seed(config.fixed_seed())  # an adapter begins at random
        if adapter is not None:
            with _opening(
                str(adapter), advice=_ADVICE if adapter == self._config.model else _REPEAT
            ):
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
            raise UsageError(f"lora_target_modules: {_line(error)}; change them") from error

    # ------------------------------------------------------------------------------- sampling

    def _messages(self, prompt: str) -> list[dict[str, str]]:
        """Return a prompt as a conversation."""
        system = self._config.system_prompt
        first = [{"role": "system", "content": system}] if system else []
        return [*first, {"role": "user", "content": prompt}]

    @property
    def chats(self) -> bool:
        """True if prompts are turns of a conversation."""
        chosen = self._config.chat
        return bool(self.tokenizer.chat_template) if chosen is None else chosen

    def rendered(self, prompt: str, prefix: str = "") -> str:
        """Return the text that the model continues."""
        if not self.chats:
            system = self._config.system_prompt
            return (f"{system}\n\n{prompt}" if system else prompt) + prefix
        text = self.tokenizer.apply_chat_template(
            self._messages(prompt), tokenize=False, add_generation_prompt=True
        )
        return str(text) + prefix

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
            batch = texts[len(found) : len(found) + self.batch_size]
            try:
                found += self._generate(batch, temperature, max_new_tokens)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                if self.batch_size == 1:
                    raise InfrastructureError(
                        "memory ran out for a single completion; lower max_new_tokens, or take a "
                        "smaller model"
                    ) from error
                library("torch").cuda.empty_cache()
                self.batch_size //= 2
                self.notes.append(
                    f"memory ran out; {self.batch_size} completions are sampled at once from now on"
                )
        return found

    def _generate(
        self, batch: list[str], temperature: float, max_new_tokens: int
    ) -> list[Completion]:
        torch = library("torch")
        inputs = self.tokenizer(
            batch, return_tensors="pt", padding=True, add_special_tokens=not self.chats
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

    def row(self, prompt: TrainingPrompt, completion: str) -> dict[str, list[int]]:
        """Return a row to learn from: tokens, and which of them are the completion's.

        The completion ends with the end token, so that the model learns to end.
        """
        first = self.tokenizer(
            self.rendered(prompt.text, prompt.prefix), add_special_tokens=not self.chats
        )["input_ids"]
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
            shutil.rmtree(folder, ignore_errors=True)
            part.rename(folder)


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
            f"{name} cannot be opened as a causal language model: {_line(error)}; {advice}"
        ) from error


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
