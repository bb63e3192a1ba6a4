"""Sample by an OpenAI-compatible server, such as vLLM's, which loads each cycle's adapter."""

import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from steelyard.errors import ModelRefusedError, ModelTransportError
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._language_model import Completion, LanguageModel
from steelyard.training.raft._prompts import TrainingPrompt

_TIMEOUT_S = 600
_MOST_BYTES = 64 << 20


class ServerSampler:
    """Completes prompts by `POST /completions`; adapters are loaded by `/load_lora_adapter`.

    Prompts are sent as tokens, so that the model learns on exactly what it was sampled with. A
    server of vLLM needs `--enable-lora` and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1.

    Args:
        config: Names the server.
        model: Tokenizes prompts as the trained model reads them.
        checkpoint: The adapter to begin with; None is the base model.
    """

    def __init__(self, config: RAFTConfig, model: LanguageModel, checkpoint: Path | None) -> None:
        self._url = config.server_url.rstrip("/")
        self._config, self._model = config, model
        self._name = config.model
        if checkpoint is not None:
            self.load(checkpoint)

    def load(self, adapter: Path) -> None:
        """Let the server take an adapter for all later samples, in place of the one before.

        Raises:
            ModelRefusedError: if the server does not take it.
            ModelTransportError: if it cannot be reached.
        """
        path = adapter.resolve()
        run = hashlib.sha256(str(path).encode()).hexdigest()[:8]  # other runs use the server too
        name, before = f"steelyard-{run}-{path.parent.name}", self._name
        self._unload(name)  # before an interruption it was loaded, and no name is loaded twice
        self._post("load_lora_adapter", {"lora_name": name, "lora_path": str(path)})
        self._name = name
        if before != self._config.model:
            self._unload(before)

    def _unload(self, name: str) -> None:
        with suppress(ModelRefusedError):  # the server does not have it
            self._post("unload_lora_adapter", {"lora_name": name})

    def sample(
        self,
        prompts: Sequence[TrainingPrompt],
        temperature: float,
        seed: int,
        max_new_tokens: int,
    ) -> list[Completion]:
        """Return a completion of each prompt, in order.

        Raises:
            ModelTransportError: if the server cannot be reached.
            ModelRefusedError: if it refuses the request.
        """

        def complete(number: int) -> Completion:
            prompt = prompts[number]
            body = {
                "model": self._name,
                "prompt": self._model.tokens_of(prompt),
                "max_tokens": max_new_tokens,
                "temperature": temperature,
                "top_p": self._config.top_p if temperature > 0 else 1.0,
                **({"stop": list(self._config.stop)} if self._config.stop else {}),
                "seed": (seed + number) % (1 << 31),
            }
            answer = self._post("completions", body)
            try:
                choice = answer["choices"][0]
                text, finish = str(choice["text"]), choice.get("finish_reason")
                tokens = int((answer.get("usage") or {}).get("completion_tokens") or 0)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise ModelTransportError(
                    f"{self._url} gave an answer without a completion; check server_url"
                ) from error
            # A file of samples holds UTF-8, and JSON may hold halves of characters.
            text = text.encode("utf-8", "replace").decode("utf-8")
            return Completion(text, tokens, finish != "length")

        with ThreadPoolExecutor(min(len(prompts), self._config.sampling_batch_size)) as threads:
            return list(threads.map(complete, range(len(prompts))))

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(  # noqa: S310  (the options have only HTTP addresses)
            f"{self._url}/{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
                text = answer.read(_MOST_BYTES)
        except urllib.error.HTTPError as error:
            message = " ".join(error.read(300).decode("utf-8", "replace").split())
            raise ModelRefusedError(
                f"{self._url}/{path} answers {error.code}: {message}; check the server's model and "
                "options, then resume",
                status=error.code,
            ) from error
        except OSError as error:
            reason = getattr(error, "reason", error)
            raise ModelTransportError(
                f"{self._url} cannot be reached: {reason}; start the server, then resume"
            ) from error
        try:
            return json.loads(text) if text.strip().startswith(b"{") else None
        except ValueError as error:
            raise ModelTransportError(
                f"{self._url}/{path} gave an answer that is not JSON; check server_url"
            ) from error
