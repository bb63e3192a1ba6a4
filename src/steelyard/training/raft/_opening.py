"""Open the model that a run trains, and its tokenizer; whatever is wrong with them is one line."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steelyard.errors import UsageError
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._libraries import library

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
