"""What `steelyard.training.reward` promises to trainers."""

import asyncio
import json
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard import ExecutionVerifier, VerifyResult, binary, pass_rate
from steelyard.errors import CellError, InfrastructureError, TestsError, UsageError
from steelyard.sandbox import CellPool
from steelyard.training import Annealed, Reward, RewardOptions, Scored, reward

DOUBLE = [{"args": [2], "expected": 4}, {"args": [5], "expected": 10}]
RIGHT = "def f(x):\n    return 2 * x\n"
HALF = "def f(x):\n    return x * x\n"
FENCED = f"<think>2 * x</think>\nHere it is:\n```python\n{RIGHT}```\n"

Make = Callable[..., Reward]


@pytest.fixture
def make(pool: CellPool) -> Make:
    def made(tests: Any = DOUBLE, **options: Any) -> Reward:
        return reward(tests, **{"entry": "function:f", "pool": pool, **options})

    return made


def rewards(scored: list[Scored]) -> list[float | None]:
    return [each.reward for each in scored]


def test_a_batch_has_the_rewards_of_the_verifier_in_order(make: Make, pool: CellPool) -> None:
    programs = [RIGHT, HALF, "def f(x", FENCED, "", "I cannot solve this.", "raise SystemExit(3)"]
    verifier = ExecutionVerifier(
        DOUBLE, language="python", entry="function:f", pool=pool, max_workers=1
    )
    scored = make().score(programs)
    known = verifier.verify_batch(programs)
    assert rewards(scored) == [each.reward for each in known]
    assert rewards(scored)[:5] == [1.0, 0.75, 0.0, 1.0, 0.0]
    assert [each.reason for each in scored] == [each.details for each in known]
    assert scored[4].reason == "did not compile: the program is empty"


def test_each_completion_may_have_tests_and_an_entry_of_its_own(make: Make) -> None:
    scored = make(None).score(
        [RIGHT, "def g(x):\n    return -x\n", RIGHT],
        [DOUBLE, json.dumps([{"args": [3], "expected": -3}]), {"tests": DOUBLE}],
        entries=["function:f", "function:g", "function:g"],
    )
    assert rewards(scored) == [1.0, 1.0, 0.5]


def test_tests_may_be_those_of_the_prompts(pool: CellPool) -> None:
    prompts = ["Example: input=5, output=25", "Example: input=5, output=10"]
    scored = reward(pool=pool).score(["print(int(input()) ** 2)"] * 2, prompts=prompts)
    assert rewards(scored) == [1.0, 0.5]


def test_json_text_is_never_a_path(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "tests.json"
    file.write_text(json.dumps(DOUBLE))
    with pytest.raises(TestsError, match="completion 0: tests: not JSON"):
        make(None).score([RIGHT], [str(file)])
    with pytest.raises(TestsError, match='the key "args" appears twice'):
        make(None).score([RIGHT], ['[{"args": [1], "args": [2], "expected": 4}]'])


@pytest.mark.parametrize(
    ("extraction", "expected"),
    [
        ("reply", [1.0, 1.0, 0.0]),
        ("fenced", [0.0, 1.0, 0.0]),
        ("whole", [1.0, 0.0, 0.0]),
    ],
)
def test_the_rule_of_extraction_is_a_choice(
    make: Make, extraction: str, expected: list[float]
) -> None:
    scored = make(extraction=extraction).score([RIGHT, FENCED, "I do not know."])
    assert rewards(scored) == expected
    without = [each for each in scored if each.reason.startswith("no code: ")]
    assert len(without) == {"reply": 0, "fenced": 2, "whole": 1}[extraction]
    assert all(each.result is not None for each in without)


def test_conversations_count_by_the_last_message_of_the_assistant(make: Make) -> None:
    conversation = [
        {"role": "assistant", "content": HALF},
        {"role": "user", "content": "That is wrong."},
        {"role": "assistant", "content": [{"type": "text", "text": RIGHT}]},
        {"role": "tool", "content": "print(1)"},
    ]
    assert rewards(make().score([conversation, [{"content": HALF}]])) == [1.0, 0.75]


@pytest.mark.parametrize(
    "completion", [b"print(1)", 3, [], [3], [{"role": "assistant", "content": None}]]
)
def test_what_is_not_a_completion_is_refused_in_one_line(make: Make, completion: object) -> None:
    with pytest.raises(UsageError, match=r"completion 1: .*; (give|add) ") as raised:
        make().score([RIGHT, completion])  # type: ignore[list-item]
    assert "\n" not in str(raised.value)


def test_hostile_texts_are_verdicts(make: Make) -> None:
    texts = ["def f(x):\0 return 2", "x" * (1 << 20), "\ud800", "```" * 10_000]
    assert rewards(make().score([*texts, RIGHT])) == [0.0, 0.5, 0.0, 0.0, 1.0]


def test_the_columns_of_a_batch_must_fit(make: Make) -> None:
    with pytest.raises(UsageError, match="2 completions but 1 suites; give one each"):
        make(None).score([RIGHT, RIGHT], [DOUBLE])
    with pytest.raises(UsageError, match="suites are str; give a list with one for each"):
        make(None).score([RIGHT, RIGHT], "[]")
    with pytest.raises(UsageError, match="one of suites, test_cases and prompts"):
        make().score([RIGHT], [DOUBLE], test_cases=DOUBLE)
    for wrong in (RIGHT, RIGHT.encode(), iter([RIGHT]), None):
        with pytest.raises(UsageError, match=r"completions are \w+; give a list of them"):
            make().score(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("suites", [None, [DOUBLE, []], [DOUBLE, "[]"], [DOUBLE, None]])
def test_a_completion_without_tests_is_refused_before_anything_runs(
    make: Make, suites: Any
) -> None:
    seen: list[int] = []
    with pytest.raises(TestsError, match=r"completion \d: (there are no tests|tests are None)"):
        make(None).score([RIGHT, RIGHT], suites, on_result=lambda index, _: seen.append(index))
    assert seen == []


def test_unreadable_tests_leave_their_completion_without_a_reward_by_choice(make: Make) -> None:
    scored = make(None, on_error="none").score([RIGHT, RIGHT, HALF], [DOUBLE, "nothing", DOUBLE])
    assert rewards(scored) == [1.0, None, 0.75]
    error = scored[1].error
    assert error is not None
    assert (error.index, error.type, error.exit_status) == (1, "TestsError", 2)
    assert scored[1].reason.startswith("no verdict: completion 1: tests: not JSON")


class _Failing:
    """A checker whose machine fails on one answer."""

    def check(self, case: object, output: bytes) -> Any:
        raise CellError("the cell was lost; try again")

    def validate(self, case: object) -> None:
        return


def test_a_machine_that_fails_is_never_a_reward_of_zero(pool: CellPool) -> None:
    tests = [{"input": "", "expected": "1"}]
    programs = ["print(1)", "print("]
    options: Any = {"checker": _Failing(), "pool": pool}
    with pytest.raises(InfrastructureError, match="program 0: the cell was lost"):
        reward(tests, **options).score(programs)
    scored = reward(tests, on_error="none", **options).score(programs)
    assert rewards(scored) == [None, 0.0]
    assert scored[0].error is not None
    assert scored[0].error.exit_status == 3


def test_an_empty_batch_has_no_rewards(make: Make) -> None:
    assert make(None).score([]) == []


def test_results_come_as_they_are_judged(make: Make) -> None:
    seen: dict[int, Scored] = {}
    scored = make().score([RIGHT, HALF], on_result=seen.__setitem__)
    assert [seen[0], seen[1]] == scored


def test_each_completion_may_have_a_policy_of_its_own(make: Make) -> None:
    def negative(result: VerifyResult) -> float:
        return -1.0 + result.reward

    scored = make(reward="pass_rate").score([RIGHT, HALF], policies=[negative, lambda _: 7])
    assert rewards(scored) == [-1.0, 7.0]
    assert scored[1].result is not None
    assert scored[1].result.reward == 7.0


def test_a_policy_may_change_with_the_steps(make: Make) -> None:
    annealed = make(reward=Annealed(pass_rate, binary, steps=10))
    assert rewards(annealed.score([RIGHT, HALF])) == [1.0, 0.5]
    assert rewards(annealed.score([RIGHT, HALF], step=5)) == [1.0, 0.25]
    assert rewards(make().score([HALF], policies=[annealed.options.reward], step=10)) == [0.0]
    assert rewards(make().score([HALF], step=10)) == [0.75]


async def test_the_async_twin_leaves_the_loop_free(make: Make) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    scored = await make().ascore([RIGHT, HALF])
    ticking.cancel()
    assert rewards(scored) == [1.0, 0.75]
    assert ticks > 1


def test_its_own_pool_ends_with_it() -> None:
    with reward(DOUBLE, entry="function:f", jobs=1) as own:
        assert rewards(own.score([RIGHT])) == [1.0]
    with pytest.raises(InfrastructureError):
        own.score([HALF])


def test_a_pool_of_others_is_left_open(make: Make) -> None:
    with make() as first:
        assert rewards(first.score([RIGHT])) == [1.0]
    assert rewards(make().score([RIGHT])) == [1.0]


def test_threads_may_share_it(make: Make) -> None:
    shared, found = make(), {}

    def score(number: int) -> None:
        found[number] = rewards(shared.score([RIGHT, HALF][:: 1 if number % 2 else -1]))

    threads = [threading.Thread(target=score, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [1.0, 0.75] if number % 2 else [0.75, 1.0] for number in range(4)}


def test_it_can_be_sent_to_another_process(make: Make) -> None:
    again = pickle.loads(pickle.dumps(make(reward="pass_rate", extraction="fenced")))
    assert again.options.extraction == "fenced"
    assert rewards(again.score([FENCED, RIGHT])) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"match_mod": "exact"}, "unknown option 'match_mod'; use one of match_mode,"),
        ({"reward": "ladder"}, "unknown reward policy 'ladder'; use one of binary, graduated"),
        ({"extraction": "last"}, "extraction"),
        ({"jobs": 0}, "jobs"),
        ({"on_event": print}, "a reward has no on_event; pass on_result to score"),
    ],
)
def test_wrong_options_are_one_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        RewardOptions.of(**options)
    assert "\n" not in str(raised.value)


def test_a_pool_and_a_number_of_cells_contradict_each_other(pool: CellPool) -> None:
    with pytest.raises(UsageError, match="pool and jobs"):
        reward(DOUBLE, pool=pool, jobs=1)
