"""Packages of `steelyard env export`, loaded and scored by the real frameworks.

A scripted model holds the conversations: it replies as the prompt's first word demands, and counts
its own messages. .ci/clients installs the frameworks; what is not installed is skipped, such as
NeMo-Gym, which needs a newer Python.
"""

import json
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from steelyard.sandbox import CellPool
from steelyard.schemas import Task
from steelyard.training import reward
from steelyard.training.environments import export_environment
from tests.contract.test_training_frameworks import COUNTING
from tests.peer_clients import run_client

RIGHT = "Here it is:\n```python\nprint(2 * int(input()))\n```"
SQUARE = "```python\nx = int(input())\nprint(x * x)\n```"
SAME = "```python\nprint(input())\n```"
PROSE = "I would double the number."
LOOP = "```python\nwhile True: pass\n```"
REPLIES = {
    "right": [RIGHT],
    "wrong": [SAME, SQUARE, RIGHT],
    "prose": [PROSE, SAME, SQUARE],
    "slow": [LOOP, RIGHT],
}
"""The model's replies to each task."""
TASKS = [
    Task(
        id=name,
        prompt=f"{name}: read a number and print twice the number.",
        time_limit_ms=300,
        tests=(
            {"input": "2", "expected": "4", "category": "visible"},
            {"input": "31337", "expected": "62674", "category": "hidden"},
        ),
    )
    for name in REPLIES
]
MODEL = """
import json, sys
folder, replies = sys.argv[1], json.loads(sys.argv[2])
module = folder.rpartition("/")[2].replace("-", "_")
seen = {}
def reply_to(messages):
    # Messages are pairs of a role and a text.
    texts = [text for role, text in messages if role == "user"]
    name = texts[0].partition(":")[0]
    seen[name] = texts[1:]
    return replies[name][sum(role == "assistant" for role, _ in messages)]
def report(rewards):
    print(json.dumps({"rewards": rewards, "seen": seen}))
"""
CHAT = """
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        pairs = [(each["role"], each["content"]) for each in body["messages"]]
        message = {"role": "assistant", "content": reply_to(pairs)}
        assert body["stream"]
        chunk = {
            "id": "1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
            "choices": [{"index": 0, "delta": message, "finish_reason": "stop"}],
        }
        text = f"data: {json.dumps(chunk)}\\n\\ndata: [DONE]\\n\\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *_):
        pass
model = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=model.serve_forever, daemon=True).start()
"""
INSPECT = (
    MODEL
    + COUNTING
    + """
import tempfile
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model
def output(messages, *_):
    return ModelOutput.from_content("mock", reply_to([(m.role, m.text) for m in messages]))
model = get_model("mockllm/model", custom_outputs=output)
task = f"{folder}/{module}/__init__.py@{module}"
[log] = eval(task, model=model, log_dir=tempfile.mkdtemp(), display="none")
assert log.status == "success", log.error
report({sample.id: sample.scores["steelyard"].value for sample in log.samples})
"""
)
VERIFIERS = (
    MODEL
    + CHAT
    + """
import asyncio, os
sys.path.append(folder)
# verifiers installs its chat program with uv.
os.environ["PATH"] = f"{sys.argv[3]}:{os.environ['PATH']}"
import verifiers.v1 as vf
from verifiers.v1.clients import EvalClientConfig, ModelContext
from verifiers.v1.utils.loaders import load_environment, resolve_env_config
async def main():
    env = load_environment(resolve_env_config({"taskset": {"id": module.replace("_", "-")}}))
    client = EvalClientConfig(base_url=f"http://127.0.0.1:{model.server_port}/v1", api_key_var="NO")
    rewards = {}
    async with env.serving():
        for task in env.taskset:
            episode = await env.run_episode(task, ModelContext("scripted", client))
            assert episode.ok, [episode.errors, [trace.errors for trace in episode.traces]]
            rewards[json.loads(task.data.row)["task_id"]] = episode.traces[0].reward
    return rewards
report(asyncio.run(main()))
"""
)
OPENENV = (
    MODEL
    + """
import socket, threading, time
import uvicorn
from openenv.core.generic_client import GenericEnvClient
sys.path.insert(0, folder)
from server.app import app, main
assert callable(main)
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
threading.Thread(target=server.run, args=([listening],), daemon=True).start()
while not server.started:
    time.sleep(0.05)
rewards = {}
with GenericEnvClient(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}").sync() as env:
    for index, name in enumerate(replies):
        result = env.reset(index=index)
        talk = [("user", result.observation["prompt"])]
        while not result.done:
            talk.append(("assistant", reply_to(talk)))
            result = env.step({"completion": talk[-1][1]})
            assert result.done == (result.reward is not None)
            talk.append(("user", result.observation["feedback"]))
        rewards[name] = result.reward
server.should_exit = True
report(rewards)
"""
)
NEMO_GYM = (
    MODEL
    + """
import asyncio, os, pathlib, site, socket
import uvicorn
from fastapi import FastAPI
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.server_utils import ServerClient
from omegaconf import OmegaConf
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent
root = pathlib.Path(folder, "resources_servers", module)
sys.path.insert(0, str(root))
site.addsitedir(sys.argv[4])  # only now: NeMo-Gym puts other folders before its own
from app import CodeServer

model = FastAPI()
@model.post("/v1/responses")
def responses(body: dict) -> dict:
    def text_of(content):
        return content if isinstance(content, str) else "".join(part["text"] for part in content)
    reply = reply_to([(each["role"], text_of(each["content"])) for each in body["input"]])
    content = [{"type": "output_text", "text": reply, "annotations": []}]
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed",
               "content": content}
    return {"id": "r", "created_at": 1, "model": "scripted", "object": "response",
            "output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}

config = OmegaConf.load(root / "configs" / f"{module}.yaml")
config.policy_model = {"responses_api_models": {"scripted": {"entrypoint": "app.py"}}}
sockets = {}
for name in (module, f"{module}_agent", "policy_model"):
    sockets[name] = socket.socket()
    sockets[name].bind(("127.0.0.1", 0))
    [kind] = config[name].values()
    [own] = kind.values()
    own.host, own.port = sockets[name].getsockname()
os.environ["NEMO_GYM_CONFIG_DICT"] = OmegaConf.to_yaml(config)  # as a server's parent does
client = ServerClient(
    head_server_config=BaseServerConfig(host="127.0.0.1", port=9), global_config_dict=config
)
def made(cls, name):
    [kind] = config[name].values()
    [own] = kind.values()
    fields = {key: value for key, value in OmegaConf.to_container(own).items() if key != "datasets"}
    settings = cls.model_fields["config"].annotation(name=name, **fields)
    return cls(config=settings, server_client=client).setup_webserver()
apps = {module: made(CodeServer, module), "policy_model": model,
        f"{module}_agent": made(GymnasiumAgent, f"{module}_agent")}
async def main():
    rewards = {}
    servers = {name: uvicorn.Server(uvicorn.Config(app, log_level="error"))
               for name, app in apps.items()}
    running = [asyncio.create_task(server.serve([sockets[name]]))
               for name, server in servers.items()]
    while not all(server.started for server in servers.values()):
        await asyncio.sleep(0.05)
    for line in (root / "data" / "tasks.jsonl").read_text().splitlines():
        row = json.loads(line)
        name = row["verifier_metadata"]["unit_tests"]["task_id"]
        run = await client.post(server_name=f"{module}_agent", url_path="/run", json=row)
        assert run.status == 200, await run.text()
        found = await run.json()
        assert found["terminated"], found
        rewards[name] = found["reward"]
        if len(replies[name]) == 1:
            body = {**row, "response": found["response"]}
            verified = await client.post(server_name=module, url_path="/verify", json=body)
            assert (await verified.json())["reward"] == found["reward"]
    for server in servers.values():
        server.should_exit = True
    await asyncio.gather(*running)
    return rewards
report(asyncio.run(main()))
"""
)
SCRIPTS: dict[str, tuple[str, str]] = {
    "inspect": ("inspect-ai", INSPECT),
    "verifiers": ("verifiers", VERIFIERS),
    "openenv": ("openenv", OPENENV),
    "nemo-gym": ("nemo-gym", NEMO_GYM),
}
"""Names in .ci/clients, and the scripts that load a package."""


@pytest.fixture(scope="module")
def known(pool: CellPool) -> dict[str, list[float]]:
    """The reward of every reply by the judge itself."""
    names = [(name, reply) for name, replies in REPLIES.items() for reply in replies]
    task = TASKS[0]
    scored = reward(pool=pool).score([reply for _, reply in names], [task] * len(names))
    found: dict[str, list[float]] = {name: [] for name in REPLIES}
    for (name, _), each in zip(names, scored, strict=True):
        assert each.reward is not None
        found[name].append(each.reward)
    assert found["wrong"] == [0.5, 0.75, 1.0]
    return found


def run(framework: str, folder: Path, **options: Any) -> Any:
    name, script = SCRIPTS[framework]
    export_environment(TASKS, folder, framework=framework, **options)
    return run_client(
        name,
        script,
        str(folder),
        json.dumps(REPLIES),
        sysconfig.get_path("scripts"),
        sysconfig.get_path("purelib"),
        library=framework != "nemo-gym",
        most_s=600,
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("framework", SCRIPTS)
def test_one_turn_scores_the_first_reply(
    framework: str, known: dict[str, list[float]], tmp_path: Path
) -> None:
    found = run(framework, tmp_path / "double-it")
    assert found["rewards"] == {name: rewards[0] for name, rewards in known.items()}


@pytest.mark.parametrize("framework", SCRIPTS)
def test_failing_cases_go_back_to_the_model(
    framework: str, known: dict[str, list[float]], tmp_path: Path
) -> None:
    found = run(framework, tmp_path / "double-it", turns=3)
    assert found["rewards"] == {name: rewards[-1] for name, rewards in known.items()}
    seen = found["seen"]
    assert [len(seen[name]) for name in ("right", "wrong", "prose", "slow")] == [0, 2, 2, 1]
    assert "Input:\n2\n" in seen["wrong"][0]
    assert "does not compile" in seen["prose"][0]
    assert "time limit exceeded" in seen["slow"][0]
    assert "31337" not in str(seen)
    assert "62674" not in str(seen)
