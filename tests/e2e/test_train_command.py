"""`steelyard train` without its libraries: files, tests and options; with them, the example."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.peer_clients import run_client

Run = Callable[..., "CompletedProcess[str]"]
ROOT = Path(__file__).parents[2]

CONFIG = """
model: base
prompts: prompts.jsonl
held_out: 0.25
verifier: {type: execution, entry: "function:f"}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    rows = [{"prompt": f"Add {n}.", "tests": [{"args": [1], "expected": 1 + n}]} for n in range(4)]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "prompts.jsonl").write_text(text)
    (tmp_path / "train.yaml").write_text(CONFIG)
    return tmp_path / "train.yaml"


def test_a_dry_run_plans_without_a_model(steelyard: Run, config: Path) -> None:
    done = steelyard("train", config, "--cycles", "2", "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "3 prompts to train on with 3 test cases, 1 held out",
        "each cycle: 24 samples, at most 6 kept",
    ]
    plan = json.loads(steelyard("train", config, "--dry-run", "--json").stdout)
    assert (plan["passed"], plan["held_out"], plan["tried"]) == (True, 1, 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing.yaml",), "missing.yaml cannot be read: No such file"),
        (("train.yaml", "--resume", "nowhere"), "nowhere holds no run to resume"),
        (("train.yaml", "--dry-run", "--resume", "nowhere"), "nowhere holds no run to resume"),
        (("train.yaml", "--cycles", "0"), "Invalid value for '--cycles'"),
        (("check", "missing.yaml"), "missing.yaml cannot be read"),
    ],
)
def test_a_wrong_call_is_one_line(
    steelyard: Run, config: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = steelyard("train", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_fault_in_a_prompt_names_its_line_before_any_model(steelyard: Run, config: Path) -> None:
    with config.with_name("prompts.jsonl").open("a") as file:
        file.write('{"prompt": "Add 9."}\n')
    done = steelyard("train", config)
    assert done.returncode == 2
    assert "prompts.jsonl:5 has no tests" in done.stderr
    assert not config.with_name("raft").exists()


@pytest.mark.parametrize("command", [("train",), ("train", "check"), ("train", "--dry-run")])
def test_a_folder_without_a_model_is_refused_before_libraries_are_imported(
    steelyard: Run, config: Path, command: tuple[str, ...]
) -> None:
    config.with_name("base").mkdir()
    done = steelyard(*command, config)
    assert done.returncode == 2
    assert "base holds no model: it has neither config.json nor adapter_config.json" in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_is_not_installed_is_named(steelyard: Run, config: Path) -> None:
    done = steelyard("train", config)
    assert done.returncode == 2
    assert "torch is not installed; run: " in done.stderr
    assert "[train]'" in done.stderr
    assert steelyard("train", config).stderr == done.stderr


EXAMPLE = """
import runpy, sys
folder, example = sys.argv[1:3]
import torch
torch.set_num_threads(1)
sys.argv = ["make.py", "--out", folder]
runpy.run_path(f"{example}/make.py", run_name="__main__")
import shutil
shutil.copy(f"{example}/train.yaml", folder)
from steelyard.training import RAFTTrainer
from steelyard.training.raft import read_config
from pathlib import Path
file = read_config(Path(folder) / "train.yaml")
print(RAFTTrainer(file.verifier, file.config).run(file.prompts).to_json().replace("\\n", ""))
"""


@pytest.mark.exhaustive
def test_the_example_learns(tmp_path: Path) -> None:
    """Held-out pass@1 rises by 15 points at least; docs/benchmarks.md has the figures."""
    history = run_client(
        "trl",
        EXAMPLE,
        str(tmp_path),
        str(ROOT / "examples/training/phrases"),
        library=True,
        installer="trainers",
        most_s=850,
    )
    rates = [each["held_out"]["pass_at_1"] for each in history["cycles"]]
    assert 0.03 < rates[0] < 0.25
    assert rates[-1] - rates[0] >= 0.15
