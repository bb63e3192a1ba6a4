"""The model that a run trains: loaded once, sampled and trained in place, saved each cycle."""

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from steelyard.errors import UsageError
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._folder import disk_faults
from steelyard.training.raft._libraries import free_memory, library, within_memory
from steelyard.training.raft._opening import one_line, open_model, open_tokenizer
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
            shutil.rmtree(folder, ignore_errors=True)
            part.rename(folder)
        self._saved = folder
