"""Read a file that configures a run (YAML)."""

import difflib
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from steelyard.errors import UsageError
from steelyard.judging import ExecutionVerifier
from steelyard.sandbox import shared_pool
from steelyard.schemas import Limits, RepeatedKeyError
from steelyard.training._policies import policy_of
from steelyard.training._reward import IN_FLIGHT
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._libraries import library

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
    beside = folder / top["model"]
    fields["model"] = str(beside) if beside.is_dir() else top["model"]
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


def _mapping(value: Any, place: str, known: Iterable[str]) -> dict[str, Any]:
    """Return an object whose keys are all known.

    Raises:
        UsageError: if it is not one, or has an unknown key.
    """
    if not isinstance(value, Mapping):
        raise UsageError(f"{place} must hold keys, got {value!r:.60}; see the reference of train")
    names = list(known)
    for name in value:
        if name not in names:
            close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.0)
            raise UsageError(f"{place} has an unknown key {name!r}; the nearest is {close[0]!r}")
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
