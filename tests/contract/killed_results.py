"""Jobs of `killed_runs` that keep many results in their folder: evaluate and RAFT."""

import json
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from steelyard import ExecutionVerifier
from steelyard import evaluate as evaluate_samples
from steelyard.evaluation import read_record
from steelyard.runs import exchanges_in
from steelyard.training import RAFTConfig, RAFTTrainer
from tests.evaluation_tasks import TASKS, right, write_benchmark
from tests.model_server import Asked, Exchange, says

PROMPTS = [
    {
        "id": f"p{number}",
        "prompt": f"Print {number}.",
        "tests": [{"input": "", "expected": f"{number}"}],
    }
    for number in range(3)
]


def evaluate(folder: Path) -> dict[str, Any]:
    """Two samples of each task, which a model writes over the wire: see `write_program`."""
    url = (folder.parents[1] / "server").read_text()
    server = {"url": url, "key_variable": PROCESS, "price": {"input": 1, "output": 10}}
    os.environ |= {
        "STEELYARD_CACHE__DIR": str(folder.parent / "cache"),
        "STEELYARD_MODELS__CONCURRENCY": "8",
        "STEELYARD_MODELS__ENDPOINTS": json.dumps({"server": server}),
    }
    report = evaluate_samples(
        write_benchmark(folder.parent),
        model="server:test",
        n=2,
        out=folder,
        jobs=1,
        plots=False,
        k=(1,),
    )
    lines = [each for each in read_record(folder) if each.kind == "sample"]
    judged = sorted((each.task, each.sample, str(each.verdict)) for each in lines)
    kept = {"tasks", "samples", "passes", "unjudged", "verdicts", "complete", "spending"}
    return report.model_dump(mode="json", include=kept) | {"judged": judged}


PROCESS = "MODEL_PROCESS"
"""The variable that numbers the processes of a run, and that is sent as a key."""
Wire = tuple[int, tuple[str, ...]]
"""A request: its seed and its messages."""


def write_program(exchange: Exchange) -> None:
    """Reply as the model: `square` is wrong, and `negate` comes once a reply without it came."""
    _, texts = on_wire(exchange.asked)
    name = next(each for each in TASKS if f"def {each}(" in texts[0])
    program = f"def {name}(n): pass\n" if name == "square" else right(name)
    time.sleep(0.02)  # so that others are under way
    thinks = name == "negate" and len(texts) == 1
    says("Let me think." if thinks else f"```python\n{program}```")(exchange)


def on_wire(asked: Asked) -> Wire:
    """Return a request that came over the wire."""
    return asked.body["seed"], tuple(each["content"] for each in asked.body["messages"][1:])


def kept_in(folder: Path) -> set[Wire]:
    """Return the requests whose replies an evaluation's folder holds."""
    return {
        (each.request.seed or 0, tuple(message.text for message in each.request.messages))
        for run in folder.glob("results/*/seed_*/reply_*")
        for each in exchanges_in(run)
    }


def raft(folder: Path) -> dict[str, Any]:
    """Two cycles of a model that needs none of the libraries."""
    config = RAFTConfig(
        model="some/model",
        output_dir=folder,
        num_cycles=2,
        samples_per_prompt=2,
        held_out=0.4,
        sampling_batch_size=2,
        extraction="whole",
    )
    trainer = RAFTTrainer(ExecutionVerifier(language="python", max_workers=1), config)
    place = "steelyard.training.raft._run"
    with (
        patch(f"{place}.LanguageModel", Model),
        patch(f"{place}.learn", learn),
        patch(f"{place}.check_libraries"),
    ):
        history = trainer.run(PROMPTS, resume=(folder / "run.json").exists())
    names = ("samples", "judged", "kept", "held_out_samples", "held_out")
    files = {
        f"{each.parent.name}/{each.stem}": each.read_text().splitlines()
        for name in names
        for each in sorted(folder.glob(f"cycle_*/{name}.jsonl"))
    }
    models = sorted(each.parent.name for each in folder.glob("cycle_*/model"))
    return {
        "passed": history.passed,
        "losses": [list(each.losses) for each in history.cycles],
        "files": files,
        "models": models,
    }


class Model:
    """Prints its prompt's number; a second sample prints something else."""

    def __init__(self, _config: RAFTConfig, _checkpoint: Path | None) -> None:
        self.notes: list[str] = []

    def check_lengths(self, _prompts: Any) -> None:
        """Have room for every prompt."""

    def sample(self, prompts: Any, _temperature: float, seed: int, _most: int) -> list[Any]:
        texts = [f"print({each.text[6:-1]} + {n % 2})  # {seed}" for n, each in enumerate(prompts)]
        return [SimpleNamespace(text=text, tokens=9, ended=True) for text in texts]

    def row(self, prompt: Any, completion: str) -> Any:
        return {"input_ids": [len(prompt.text)], "completion_mask": [len(completion)]}

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)


def learn(_model: Model, lessons: Any, _config: RAFTConfig, **rest: Any) -> Any:
    rest["on_step"](1, 1, 0.5)
    figures = {"losses": (0.5,), "batch_size": len(lessons), "notes": ()}
    return SimpleNamespace(**figures, model_dump_json=lambda: json.dumps(figures))
