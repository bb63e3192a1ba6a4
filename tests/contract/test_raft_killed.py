"""A run that is killed before its model is open, which needs none of the libraries."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard import ExecutionVerifier
from steelyard.errors import UsageError
from steelyard.training import RAFTConfig, RAFTTrainer

PROMPTS = [
    {"prompt": f"Print {n}.", "tests": [{"input": "", "expected": f"{n}"}]} for n in range(4)
]
KILLED = """
import os, signal, sys
from steelyard import ExecutionVerifier
from steelyard.training import RAFTConfig, RAFTTrainer
def kill(event):
    if event.stage.startswith("loading the model"):
        os.kill(os.getpid(), signal.SIGKILL)
config = RAFTConfig(model="some/model", output_dir=sys.argv[1], on_event=kill)
RAFTTrainer(ExecutionVerifier(language="python"), config).run(eval(sys.argv[2]))
"""


def test_it_is_resumed_and_not_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-c", KILLED, str(folder), repr(PROMPTS)]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    events: list[str] = []
    config = RAFTConfig(
        model="some/model", output_dir=folder, on_event=lambda event: events.append(event.stage)
    )
    trainer = RAFTTrainer(ExecutionVerifier(language="python"), config)
    with pytest.raises(UsageError, match="holds a run; resume it with --resume"):
        trainer.run(PROMPTS)
    for _ in range(2):  # a resumed run stays, though its model cannot be opened here
        with pytest.raises(UsageError, match=r"torch is not installed|cannot be opened"):
            trainer.run(PROMPTS, resume=True)
    assert events == ["loading the model"] * 2
