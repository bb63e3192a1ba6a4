"""Adapters inside the real packages from PyPI, each in an environment of its own.

.ci/clients installs SkyRL-gym, inspect_ai, verifiers and OpenEnv; .ci/trainers the larger TRL. What
is not installed is skipped.
"""

import pytest

from steelyard.sandbox import CellPool
from tests.training_frameworks import known_rewards
from tests.training_frameworks import run_framework as run

COUNTING = """
import types
# inspect_ai counts the tokens of a reply, and would download a vocabulary for that.
encoding = types.SimpleNamespace(encode=lambda text, **_: text.split())
sys.modules["tiktoken"] = types.SimpleNamespace(get_encoding=lambda _: encoding)
"""


@pytest.fixture(scope="module")
def known(pool: CellPool) -> list[float]:
    return known_rewards(pool)


def test_skyrl_gym(known: list[float]) -> None:
    script = """
import skyrl_gym
from skyrl_gym.envs import register
from steelyard.training.adapters.skyrl import skyrl_env
register(id="steelyard", entry_point=skyrl_env(judge))
rewards = []
for row in rows:
    extras = {"reward_spec": {"method": "rule", "ground_truth": row["tests"]}}
    env = skyrl_gym.make("steelyard", env_config={}, extras=extras)
    env.init([{"role": "user", "content": row["prompt"]}])
    step = env.step(row["reply"])
    assert step["done"]
    rewards.append(step["reward"])
    env.close()
print(json.dumps(rewards))
"""
    assert run("skyrl-gym", script) == known


@pytest.mark.exhaustive
def test_inspect_ai_scores_with_the_judge(known: list[float]) -> None:
    script = (
        COUNTING
        + """
import tempfile
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import generate
from steelyard.training.adapters.inspect_ai import inspect_scorer
samples = [
    Sample(input=row["prompt"], metadata=row["row"]) if number % 2
    else Sample(input=row["prompt"], target=row["tests"])
    for number, row in enumerate(rows)
]
outputs = [ModelOutput.from_content("mock", row["reply"]) for row in rows]
model = get_model("mockllm/model", custom_outputs=outputs)
task = Task(dataset=samples, solver=generate(), scorer=inspect_scorer(judge))
[log] = eval(task, model=model, max_samples=1, log_dir=tempfile.mkdtemp(), display="none")
assert log.status == "success", log.error
scores = [sample.scores["steelyard"] for sample in log.samples]
assert all(score.explanation for score in scores)
print(json.dumps([score.value for score in scores]))
"""
    )
    assert run("inspect-ai", script) == known


@pytest.mark.exhaustive
def test_inspect_ai_runs_tools_in_cells() -> None:
    script = """
import asyncio
from inspect_ai.util import OutputLimitExceededError, SandboxUserUnsupportedError
from steelyard.training.adapters.inspect_sandbox import register_sandbox
made = register_sandbox()
async def main():
    box = (await made.sample_init("task", None, {}))["default"]
    other = (await made.sample_init("task", None, {}))["default"]
    await box.write_file("in/data.txt", "one\\ntwo\\n")
    first = await box.exec(["sh", "-c", "wc -l < in/data.txt > count; cat; exit 3"], input="hello")
    second = await box.exec(["cat", "../count"], cwd="in")
    found = {
        "first": [first.success, first.returncode, first.stdout],
        "second": second.stdout.strip(),
        "read": await box.read_file("count"),
        "bytes": (await box.read_file("/w/in/data.txt", text=False)).decode(),
        "network": (await box.exec(["cat", "/proc/net/dev"])).stdout.count(":"),
        "missing": (await box.exec(["no-such-program"])).returncode,
        "other": (await other.exec(["ls"])).stdout,
        "raised": [],
    }
    attempts = [
        (box.exec(["sleep", "30"], timeout=1), TimeoutError),
        (box.exec(["ls"], user="root"), SandboxUserUnsupportedError),
        (box.exec(["sh", "-c", "yes | head -c 30000000"]), OutputLimitExceededError),
        (box.read_file("nothing"), FileNotFoundError),
        (box.read_file("in"), IsADirectoryError),
        (box.read_file("/etc/passwd"), FileNotFoundError),
        (box.write_file("/etc/passwd", "x"), PermissionError),
        (box.write_file("../x", "x"), PermissionError),
    ]
    for attempt, expected in attempts:
        try:
            await attempt
        except expected:
            found["raised"].append(expected.__name__)
    found["expected"] = [expected.__name__ for _, expected in attempts]
    found["kept"] = (await box.read_file("count")).strip()
    return found
print(json.dumps(asyncio.run(main())))
"""
    found = run("inspect-ai", script)
    assert found["first"] == [False, 3, "hello"]
    assert found["second"] == "2"
    assert found["read"].strip() == found["kept"] == "2"
    assert found["bytes"] == "one\ntwo\n"
    assert found["missing"] == 127
    assert found["other"] == ""
    assert found["network"] <= 1
    assert found["raised"] == found["expected"]


@pytest.mark.exhaustive
def test_inspect_ai_evaluates_with_the_sandbox() -> None:
    script = (
        COUNTING
        + """
import tempfile
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import bash
from steelyard.training.adapters.inspect_sandbox import register_sandbox
register_sandbox()
calls = [
    ModelOutput.for_tool_call("mock", "bash", {"command": "cat note.txt; echo 42 > answer"}),
    ModelOutput.for_tool_call("mock", "bash", {"command": "cat answer"}),
    ModelOutput.from_content("mock", "42"),
]
sample = Sample(input="What is it?", target="42", files={"note.txt": "look here"})
task = Task(
    dataset=[sample], solver=[use_tools(bash()), generate()], scorer=includes(),
    sandbox="steelyard",
)
model = get_model("mockllm/model", custom_outputs=calls)
[log] = eval(task, model=model, log_dir=tempfile.mkdtemp(), display="none")
assert log.status == "success", log.error
tools = [each.text for each in log.samples[0].messages if each.role == "tool"]
print(json.dumps(tools))
"""
    )
    look, answer = run("inspect-ai", script)
    assert "look here" in look
    assert answer.strip() == "42"


@pytest.mark.exhaustive
def test_verifiers(known: list[float]) -> None:
    script = """
import asyncio
import verifiers.v1 as vf
from verifiers.v1.graph import MessageNode
from verifiers.v1.trace import AgentInfo, Trace, TraceTask
from steelyard.training.adapters.verifiers import verifiers_taskset
made = verifiers_taskset(judge, [each["row"] for each in rows])
assert issubclass(made, vf.Taskset)
tasks = list(made(vf.TasksetConfig()))
async def score(task, text):
    message = vf.AssistantMessage(content=text)
    trace = Trace(
        task=TraceTask(type="CodeTask", data=task.data), agent=AgentInfo(config=vf.AgentConfig()),
        nodes=[MessageNode(message=message, sampled=True)],
    )
    await task.score(trace)
    return trace.reward
async def main():
    pairs = zip(tasks, rows, strict=True)
    return await asyncio.gather(*(score(task, row["reply"]) for task, row in pairs))
print(json.dumps(asyncio.run(main())))
"""
    assert run("verifiers", script) == known


@pytest.mark.exhaustive
def test_openenv(known: list[float]) -> None:
    script = """
import socket, threading, time
import uvicorn
from openenv.core.env_server import create_app
from openenv.core.generic_client import GenericEnvClient
from steelyard.training.adapters.openenv import openenv_environment
made = openenv_environment(judge, [each["row"] for each in rows])
app = create_app(*made, env_name="steelyard", max_concurrent_envs=4)
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
threading.Thread(target=server.run, args=([listening],), daemon=True).start()
for _ in range(300):
    if server.started:
        break
    time.sleep(0.1)
rewards = []
with GenericEnvClient(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}").sync() as env:
    for index, row in enumerate(rows):
        begun = env.reset(index=index)
        assert begun.observation["prompt"] == row["prompt"], begun
        step = env.step({"completion": row["reply"]})
        assert step.done
        rewards.append(step.reward)
server.should_exit = True
print(json.dumps(rewards))
"""
    assert run("openenv", script) == known


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "function"), [("GRPO", "trl_reward"), ("RLOO", "trl_async_reward")]
)
def test_trl_trains_with_it(kind: str, function: str) -> None:
    script = f"""
import tempfile
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import {kind}Config as Config, {kind}Trainer as Trainer
from steelyard.training.adapters.trl import {function} as adapter

words = {{word: number for number, word in enumerate(
    ["<pad>", "<eos>", "def", "f", "(", "x", ")", ":", "return", "2", "*"]
)}}
inner = Tokenizer(models.WordLevel(words, unk_token="<pad>"))
inner.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>")
model = LlamaForCausalLM(LlamaConfig(
    vocab_size=len(words), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
    num_attention_heads=2, pad_token_id=0, eos_token_id=1, bos_token_id=1,
))
seen = []
inner_reward = adapter(judge)
if {kind == "GRPO"}:
    def watched(**given):
        seen.append(inner_reward(**given))
        return seen[-1]
else:
    async def watched(**given):
        seen.append(await inner_reward(**given))
        return seen[-1]
folder = tempfile.mkdtemp()
model.save_pretrained(folder)  # RLOO loads its reference from there
tokenizer.save_pretrained(folder)
config = Config(
    output_dir=folder, max_steps=2, per_device_train_batch_size=4, num_generations=4,
    max_completion_length=12, logging_steps=1, report_to=[], use_cpu=True, save_strategy="no",
    disable_tqdm=True,
)
data = Dataset.from_list([{{"prompt": "def f", "tests": row["tests"]}} for row in rows[:200]])
trainer = Trainer(
    model=folder, reward_funcs=watched, args=config, train_dataset=data, processing_class=tokenizer
)
trainer.train()
logged = [each for each in trainer.state.log_history if "reward" in each]
print(json.dumps([seen, [each["reward"] for each in logged], sorted(logged[0])]))
"""
    seen, logged, names = run("trl", script, "trainers")
    assert len(seen) == len(logged) == 2
    assert [len(batch) for batch in seen] == [4, 4]
    for batch, mean in zip(seen, logged, strict=True):
        assert all(isinstance(each, float) for each in batch)
        assert mean == pytest.approx(sum(batch) / 4, abs=1e-6)
    assert any(name.endswith("steelyard/passed") for name in names)
    assert any("steelyard/gaming/" in name for name in names)
