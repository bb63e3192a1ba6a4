"""The code of verl and OpenRLHF that calls a reward: from PyPI, without their engines.

Both want GPUs to train. What loads and calls a reward runs on a CPU, with the packages that this
code imports. .ci/trainers installs them; what is not installed is skipped.
"""

import math

import pytest

from steelyard.sandbox import CellPool
from tests.training_frameworks import known_rewards, run_framework

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def known(pool: CellPool) -> list[float]:
    return known_rewards(pool)


VERL = """
import asyncio
import numpy as np
import torch
from omegaconf import OmegaConf
from verl import DataProto
from verl.experimental.reward_loop.reward_manager import get_reward_manager_cls as manager_of_each
from verl.trainer.ppo.reward import get_custom_reward_fn
from verl.workers.reward_manager import get_reward_manager_cls as manager_of_batches

class Bytes:
    def decode(self, ids, skip_special_tokens=True):
        return bytes(int(each) for each in ids).decode()

def loaded(name, **more):
    limits = {"cpu_ms": 300, "wall_ms": 3_000}
    return get_custom_reward_fn(OmegaConf.create({"reward": {"custom_reward_function": {
        "path": "pkg://steelyard.training.adapters.verl", "name": name,
        "reward_kwargs": {"entry": "function:f", "limits": limits, **more},
    }}}))

def column(values):
    return np.array(values, dtype=object)

def data_of(rows):
    texts = [row["reply"].encode() for row in rows]
    ids = torch.zeros(len(texts), max(map(len, texts)), dtype=torch.long)
    mask = torch.zeros(len(texts), ids.shape[1] + 1, dtype=torch.long)
    mask[:, 0] = 1
    for number, text in enumerate(texts):
        ids[number, : len(text)] = torch.tensor(list(text), dtype=torch.long)
        mask[number, 1 : 1 + len(text)] = 1
    return DataProto.from_dict(
        tensors={"prompts": torch.ones(len(texts), 1, dtype=torch.long), "responses": ids,
                 "attention_mask": mask},
        non_tensors={"data_source": column(["x" for _ in rows]),
                     "reward_model": column([{"ground_truth": row["tests"]} for row in rows]),
                     "extra_info": column([{} for _ in rows])},
    )

data = data_of(rows)
each = manager_of_each("naive")(OmegaConf.create({}), Bytes(), loaded("compute_score"))
async def one_by_one():
    found = await asyncio.gather(*(each.run_single(data[n : n + 1]) for n in range(40)))
    return [one["reward_score"] for one in found]
manager = manager_of_batches("batch")
whole = manager(Bytes(), 0, loaded("compute_score_batch"))(data, return_dict=True)
unread = manager(Bytes(), 0, loaded("compute_score_batch", on_error="none"))
lost = unread(data_of([rows[0] | {"tests": "?"}, rows[0]]), return_dict=True)["reward_extra_info"]
print(json.dumps({
    "one_by_one": each.loop.run_until_complete(one_by_one()),
    "batch": whole["reward_extra_info"]["score"],
    "tensor": [float(row.sum()) for row in whole["reward_tensor"]],
    "lost": [lost["score"][0], lost["no_verdict"]],
}))
"""


def test_verl_loads_and_calls_both_functions(known: list[float]) -> None:
    found = run_framework("verl-managers", VERL, "trainers")
    assert found["one_by_one"] == known[:40]
    assert found["batch"] == known
    assert found["tensor"] == pytest.approx(known, abs=1e-6)  # 32 bits
    score, no_verdict = found["lost"]
    assert math.isnan(score)
    assert no_verdict == [1.0, 0.0]


OPENRLHF = """
import asyncio, pathlib, tempfile
from types import SimpleNamespace
import torch
from openrlhf.utils.agent import SingleTurnAgentExecutor

file = pathlib.Path(tempfile.mkdtemp(), "reward.py")
file.write_text('''
from steelyard import Limits
from steelyard.training import reward
from steelyard.training.adapters.openrlhf import openrlhf_reward

reward_func = openrlhf_reward(
    reward(entry="function:f", on_error="none", limits=Limits(cpu_ms=300, wall_ms=3_000))
)
''')

class Bytes:
    def __call__(self, text, **_):
        return {"input_ids": torch.tensor([list(text.encode())])}
    def decode(self, ids, skip_special_tokens):
        return bytes(ids).decode()

class Engine:
    def __init__(self, text):
        self.text = text + "<|im_end|>"
    async def generate(self, ids, params, multi_modal_data=None):
        tokens = list(self.text.encode())
        done = SimpleNamespace(
            token_ids=tokens, text=self.text, finish_reason="stop", logprobs=None
        )
        return SimpleNamespace(outputs=[done])

executor = SingleTurnAgentExecutor(str(file))
params = SimpleNamespace(max_tokens=4_096, logprobs=None)
async def reward_of(row):
    given = row["prompt"], row["tests"], params, 8_192, Bytes(), Engine(row["reply"])
    return (await executor.execute(*given))["reward"]
async def main():
    return await asyncio.gather(*map(reward_of, [*rows, rows[0] | {"tests": "?"}]))
*rewards, lost = asyncio.run(main())
print(json.dumps([[each for each, in rewards], lost]))
"""


def test_openrlhf_loads_the_file_and_calls_its_function(known: list[float]) -> None:
    rewards, lost = run_framework("openrlhf", OPENRLHF, "trainers")
    assert rewards == known
    assert lost is None
