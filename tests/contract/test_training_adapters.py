"""Adapters for trainers: each gives the rewards of the verifier, bit for bit.

TRL, SkyRL-gym, verifiers, OpenEnv and inspect_ai also run with their real packages, in
test_training_frameworks.py, and the callers of verl and OpenRLHF in test_training_callers.py. Here
they, and NeMo-Gym, are called as research recorded them from their sources in August 2026.
"""

import asyncio
import importlib
import inspect
import json
import math
import pkgutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from steelyard import ExecutionVerifier, Limits
from steelyard.errors import InfrastructureError, UsageError
from steelyard.sandbox import CellPool
from steelyard.training import Reward, adapters, reward
from steelyard.training.adapters.http import RewardServer, reward_server
from steelyard.training.adapters.inspect_ai import inspect_scorer
from steelyard.training.adapters.inspect_sandbox import register_sandbox
from steelyard.training.adapters.nemo_gym import nemo_gym_verify
from steelyard.training.adapters.openenv import openenv_environment
from steelyard.training.adapters.openrlhf import answer_of, openrlhf_reward
from steelyard.training.adapters.skyrl import SkyRLEnv, skyrl_env
from steelyard.training.adapters.trl import trl_async_reward, trl_reward
from steelyard.training.adapters.verifiers import verifiers_taskset
from steelyard.training.adapters.verl import compute_score, compute_score_batch
from tests.exported_rows import Exported, exported_rows
from tests.http_server import Service
from tests.training_completions import rows

LIMITS = Limits(cpu_ms=300, wall_ms=3_000)
OPTIONS: Any = {"entry": "function:f", "limits": LIMITS}
VERL = {"entry": "function:f", "limits": LIMITS.model_dump()}
ROWS = list(rows(60))
TEXTS = [row.completion for row in ROWS]
LABELS = [row.json for row in ROWS]
PROMPTS = [row.prompt for row in ROWS]


@pytest.fixture(scope="module")
def judge(pool: CellPool) -> Reward:
    return reward(pool=pool, **OPTIONS)


@pytest.fixture(scope="module")
def known(pool: CellPool) -> list[float]:
    """The rewards of the verifier itself."""
    verifier = ExecutionVerifier(
        language="python", entry="function:f", limits=LIMITS, run_timeout=0.3, pool=pool
    )
    results = verifier.verify_batch(TEXTS, suites=[row.tests for row in ROWS])
    found = [result.reward for result in results]
    assert len(set(found)) >= 4
    return found


@pytest.fixture
def failing(pool: CellPool) -> Reward:
    """A reward without a verdict: its tests cannot be read."""
    return reward(pool=pool, on_error="none", **OPTIONS)


def test_trl(judge: Reward, known: list[float]) -> None:
    metrics: dict[str, float] = {}
    extra: dict[str, list[str]] = {}
    given = trl_reward(judge)(
        prompts=PROMPTS,
        completions=TEXTS,
        completion_ids=[[1]] * len(TEXTS),
        tests=LABELS,
        difficulty=["easy"] * len(TEXTS),
        trainer_state=SimpleNamespace(global_step=3),
        log_metric=metrics.__setitem__,
        log_extra=extra.__setitem__,
    )
    assert given == known
    assert metrics["steelyard/passed"] == known.count(1.0) / len(known)
    assert "steelyard/gaming/sandbox_attempts" in metrics
    assert len(extra["verdict"]) == len(known)


async def test_trl_with_conversations_and_a_coroutine(judge: Reward, known: list[float]) -> None:
    function = trl_async_reward(judge, tests="cases", entry="entry")
    assert asyncio.iscoroutinefunction(function)
    assert not asyncio.iscoroutinefunction(trl_reward(judge))
    assert function.__name__ == "steelyard"
    given = await function(
        prompts=[[{"role": "user", "content": prompt}] for prompt in PROMPTS],
        completions=[[{"role": "assistant", "content": text}] for text in TEXTS],
        completion_ids=[[1]] * len(TEXTS),
        cases=[row.tests for row in ROWS],
        entry=["function:f"] * len(TEXTS),
    )
    assert given == known


def test_trl_names_a_missing_column(judge: Reward) -> None:
    with pytest.raises(UsageError, match="the data set has no column 'tests'"):
        trl_reward(judge)(prompts=[""], completions=[""], cases=[[]])


def test_trl_gives_none_without_a_verdict(failing: Reward) -> None:
    assert (
        trl_reward(failing)(prompts=["", ""], completions=TEXTS[:2], tests=["?", LABELS[1]])[0]
        is None
    )


def test_verl(known: list[float]) -> None:
    found = compute_score_batch(["x"] * len(TEXTS), TEXTS, LABELS, [None] * len(TEXTS), **VERL)
    assert [each["score"] for each in found] == known
    one = compute_score(
        "x", TEXTS[0], LABELS[0], {"num_turns": 1}, reward_model_tokenizer=3, **VERL
    )
    assert one == found[0]
    assert set(one) == {"score", "passed", "pass_rate", "no_verdict"}


def test_verl_has_the_parameters_of_the_research() -> None:
    assert list(inspect.signature(compute_score).parameters)[:4] == [
        "data_source",
        "solution_str",
        "ground_truth",
        "extra_info",
    ]
    assert list(inspect.signature(compute_score_batch).parameters)[:4] == [
        "data_sources",
        "solution_strs",
        "ground_truths",
        "extra_infos",
    ]


@pytest.mark.parametrize(
    ("truth", "solution"),
    [
        ({"inputs": ["3\n", ["4"]], "outputs": ["6", ["8"]]}, "print(2 * int(input()))"),
        ({"inputs": [[3], [4]], "outputs": [[6], [8]], "fn_name": "g"}, "def g(x): return 2 * x"),
        (
            {"inputs": ["3\n1", "4\n0"], "outputs": ["[6, 1]", "[8, 0]"], "fn_name": "g"},
            "class Solution:\n    def g(self, x, y): return [2 * x, y]",
        ),
        ({"assert_case": ["assert g(3) == 6", "assert g(4) == 8"]}, "def g(x): return 2 * x"),
    ],
)
def test_verl_reads_the_ground_truth_of_its_data_sets(truth: Any, solution: str) -> None:
    assert compute_score("codecontests", solution, json.dumps(truth))["score"] == 1.0
    assert compute_score("codecontests", "x = 1", truth)["score"] == 0.5


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ({"inputs": ["1"], "outputs": []}, "1 inputs but 0 outputs"),
        ({"inputs": "1", "outputs": []}, 'lack the lists "inputs"'),
        (
            {"inputs": ["{"], "outputs": ["1"], "fn_name": "g"},
            "values of a call: not JSON",
        ),
        ({"inputs": [], "outputs": [], "fn_name": "g("}, '"fn_name" must name a function'),
        ({"answer": 3}, "neither"),
    ],
)
def test_wrong_ground_truth_is_one_line(truth: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        compute_score("x", "x = 1", truth)
    assert "\n" not in str(raised.value)
    marked = compute_score("x", "x = 1", truth, on_error="none")
    assert math.isnan(marked["score"])
    assert marked["no_verdict"] == 1.0


def test_openrlhf(judge: Reward, known: list[float]) -> None:
    function = openrlhf_reward(judge)
    queries = [f"{row.prompt}{row.completion}<|im_end|>\n</s>" for row in ROWS]
    whole = function(queries, PROMPTS, LABELS)
    assert whole["rewards"] == known
    assert set(whole) == {"rewards", "scores", "extra_logs"}
    one = function(queries[:1], PROMPTS[:1], LABELS[:1], step=3)
    assert one["rewards"] == known[:1]
    with pytest.raises(UsageError, match="give one each"):
        function(queries, PROMPTS[:1], LABELS)


def test_openrlhf_has_no_reward_without_a_verdict(failing: Reward) -> None:
    with pytest.raises(InfrastructureError, match="no verdict"):
        openrlhf_reward(failing)(["x"], [""], ["?"])


def test_special_tokens_inside_a_program_stay() -> None:
    answer = answer_of("prompt: print('<s>')</s><|endoftext|>", "prompt: ")
    assert answer == "print('<s>')"


def test_code_of_a_prompt_is_not_the_answer() -> None:
    prompt = "Fix this:\n```\ndef f(): return 1\n```\n"
    assert answer_of(f"<s>{prompt}I cannot.</s>", prompt) == "I cannot."
    assert answer_of("no prompt in it", prompt) == "no prompt in it"


def body_of(text: str, tests: Any) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    output = [
        {"type": "reasoning", "summary": []},
        {"type": "message", "role": "assistant", "content": content},
    ]
    return {
        "responses_create_params": {"input": "Write f."},
        "response": {"output": output},
        "verifier_metadata": {"unit_tests": tests},
    }


def test_nemo_gym(judge: Reward, known: list[float]) -> None:
    verify = nemo_gym_verify(judge)
    for row, expected in zip(ROWS[:40], known[:40], strict=True):
        inputs = [case["args"] for case in row.tests]
        outputs = [case["expected"] for case in row.tests]
        tests = {"inputs": inputs, "outputs": outputs, "fn_name": "f"}
        answer = verify(body_of(row.completion, tests))
        assert answer["reward"] == expected
        assert answer["response"] == body_of(row.completion, tests)["response"]


@pytest.mark.parametrize("body", [{}, {"verifier_metadata": {"unit_tests": "[]"}}])
def test_nemo_gym_names_what_a_body_lacks(judge: Reward, body: Any) -> None:
    with pytest.raises(UsageError, match="add the"):
        nemo_gym_verify(judge)(body)


def test_skyrl(judge: Reward, known: list[float]) -> None:
    made = type("Env", (SkyRLEnv,), {"reward": judge})
    metrics = []
    for row, expected in zip(ROWS[:40], known[:40], strict=True):
        env = made({}, extras={"reward_spec": {"ground_truth": row.json}, "max_turns": 1})
        prompt, _ = env.init([{"role": "user", "content": row.prompt}])
        assert prompt[0]["content"] == row.prompt
        step = env.step(row.completion)
        assert step["reward"] == expected
        assert step["done"]
        assert step["observations"] == []
        metrics.append(env.get_metrics())
        env.close()
    assert made.aggregate_metrics(metrics) == {"passed": known[:40].count(1.0) / 40}
    with pytest.raises(UsageError, match=r"reward_spec\.ground_truth"):
        made({}, extras={})


@pytest.mark.parametrize(
    ("make", "package"),
    [
        (skyrl_env, "skyrl-gym"),
        (lambda judge: verifiers_taskset(judge, []), "verifiers"),
        (lambda judge: openenv_environment(judge, []), "openenv"),
        (inspect_scorer, "inspect-ai"),
        (lambda _: register_sandbox(), "inspect-ai"),
    ],
)
def test_a_missing_framework_is_named(judge: Reward, make: Any, package: str) -> None:
    with pytest.raises(UsageError, match=f"cannot be imported: .*; install {package}$"):
        make(judge)


def by_trl(judge: Reward, each: Exported) -> Any:
    columns = {name: [value] for name, value in each.row.items() if name != "prompt"}
    prompts, completions = [each.row["prompt"]], [each.completion]
    tests = columns.pop("tests")  # some are lists here, and JSON text in rows for trainers
    return trl_reward(judge)(prompts=prompts, completions=completions, tests=tests, **columns)[0]


def by_skyrl(judge: Reward, each: Exported) -> Any:
    made = type("Env", (SkyRLEnv,), {"reward": judge})
    env = made({}, extras={"reward_spec": {"ground_truth": json.dumps(each.row)}})
    return env.step(each.completion)["reward"]


def by_openrlhf(judge: Reward, each: Exported) -> Any:
    query = each.row["prompt"] + each.completion + "</s>"
    labels = [json.dumps(each.row)]
    return openrlhf_reward(judge)([query], [each.row["prompt"]], labels)["rewards"][0]


ADAPTERS: dict[str, Any] = {
    "score": lambda judge, each: judge.score([each.completion], [each.row])[0].reward,
    "trl": by_trl,
    "verl": lambda _, each: compute_score("x", each.completion, each.row)["score"],
    "verl text": lambda _, each: compute_score_batch(
        ["x"], [each.completion], [json.dumps(each.row)], [None]
    )[0]["score"],
    "openrlhf": by_openrlhf,
    "skyrl": by_skyrl,
    "nemo_gym": lambda judge, each: nemo_gym_verify(judge)(body_of(each.completion, each.row))[
        "reward"
    ],
}
"""Those that need no framework; test_training_frameworks.py has the others."""


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_exported_row_is_judged_as_its_task(name: str, pool: CellPool) -> None:
    judge = reward(pool=pool)
    found = [ADAPTERS[name](judge, each) for each in exported_rows()]
    assert found == [each.reward for each in exported_rows()]


def test_the_server_judges_exported_rows(pool: CellPool) -> None:
    rows = exported_rows()
    with reward_server(reward(pool=pool)) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        texts = [each.completion for each in rows]
        plain = post(server, "/score", {"completions": texts, "suites": [r.row for r in rows]})
        labels = [json.dumps(each.row) for each in rows]
        prompts = [each.row["prompt"] for each in rows]
        query = [prompt + text for prompt, text in zip(prompts, texts, strict=True)]
        asked = {"query": query, "prompts": prompts, "labels": labels}
        openrlhf = post(server, "/get_reward", asked)
        nemo = [post(server, "/verify", body_of(r.completion, r.row))[1]["reward"] for r in rows]
        server.shutdown()
    assert plain[1]["rewards"] == openrlhf[1]["rewards"] == nemo == [each.reward for each in rows]


@pytest.fixture
def server(judge: Reward) -> Iterator[RewardServer]:
    with reward_server(judge) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def post(server: RewardServer, path: str, body: object) -> tuple[int, Any]:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = "text/plain" if path == "/score?page" else "application/json"
    request = urllib.request.Request(f"{server.url}{path}", text, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_the_server_answers_three_kinds_of_requests(
    server: RewardServer, known: list[float]
) -> None:
    status, plain = post(server, "/score", {"completions": TEXTS, "suites": LABELS})
    assert (status, plain["rewards"]) == (200, known)
    assert plain["reasons"][0].startswith("compiled")
    queries = [f"{row.prompt}{row.completion}" for row in ROWS[:4]]
    body = {"query": queries, "prompts": PROMPTS[:4], "labels": LABELS[:4]}
    assert post(server, "/get_reward", body)[1]["rewards"] == known[:4]
    tests = {"inputs": [[1], [2], [5]], "outputs": [2, 4, 10], "fn_name": "f"}
    assert post(server, "/verify", body_of(TEXTS[0], tests))[1]["reward"] == known[0]


def test_the_service_gives_the_same_rewards(service: Service, known: list[float]) -> None:
    lines = [
        {
            "program": row.completion,
            "tests": row.tests,
            "entry": "function:f",
            "language": "python",
            "limits": LIMITS.model_dump(),
        }
        for row in ROWS
    ]
    request = urllib.request.Request(
        f"{service.url}/v1/judge/batch?order=input",
        "\n".join(map(json.dumps, lines)).encode(),
        {"Content-Type": "application/x-ndjson"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        assert [json.loads(line)["result"]["reward"] for line in answer] == known


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("/score", b"{", 422, "the body: not JSON"),
        ("/score", b'{"suites": [], "suites": []}', 422, 'the key "suites" appears twice'),
        ("/score", [], 422, "the body is not an object"),
        ("/score", {"completions": "x"}, 422, "completions is not a list"),
        ("/score", {"completions": ["x"]}, 422, "there are no tests"),
        ("/score", {"completions": ["x"], "suites": 3}, 422, "suites is not a list"),
        ("/score", {"completions": [3], "suites": [[]]}, 422, "a completion is int"),
        ("/score?page", {"completions": ["x"]}, 415, "send application/json"),
        ("/score", {"completion": ["x"]}, 422, "unknown field 'completion'"),
        ("/get_reward", {"query": ["x"]}, 422, "query, prompts and labels are needed"),
        ("/get_reward", {"query": [3], "prompts": [""], "labels": ["[]"]}, 422, "a query is int"),
        ("/get_reward", {"query": ["x"], "prompts": [None], "labels": ["[]"]}, 422, "a prompt is"),
        ("/nothing", {}, 404, "use /score"),
    ],
)
def test_the_server_answers_wrong_requests_with_one_line(
    server: RewardServer, path: str, body: object, status: int, message: str
) -> None:
    code, answer = post(server, path, body)
    assert code == status
    assert message in answer["error"]
    assert "rewards" not in answer


def test_the_server_listens_on_loopback_alone(server: RewardServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_no_adapter_imports_a_framework_before_it_is_used() -> None:
    names = [each.name for each in pkgutil.iter_modules(adapters.__path__)]
    public = [name for name in names if not name.startswith("_")]
    assert len(public) >= 10
    for name in public:
        module = importlib.import_module(f"steelyard.training.adapters.{name}")
        assert "    from steelyard.training" in (module.__doc__ or "") or name == "verl"
    code = "import sys, steelyard.training\nknown = {*sys.modules, *sys.stdlib_module_names}\n"
    code += "".join(f"import steelyard.training.adapters.{name}\n" for name in public)
    code += "print(sorted({name.partition('.')[0] for name in sys.modules} - known))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
