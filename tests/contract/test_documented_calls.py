"""The calls that halo-forge documents for its verifier run as they are; only the import differs.

Its RAFT block trains a model in test_raft.py.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard import ExecutionVerifier, RAFTConfig, RAFTTrainer, UsageError
from steelyard.training.raft import read_config

SQUARE = """
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    std::cout << n * n << std::endl;
    return 0;
}
"""
MY_TESTS = [{"input": "5\n", "expected": "25"}, {"input": "10\n", "expected": "100"}]


def test_basic_usage() -> None:
    verifier = ExecutionVerifier(
        test_cases=[
            {"input": "5\n", "expected": "25"},
            {"input": "10\n", "expected": "100"},
        ]
    )
    result = verifier.verify(SQUARE)
    assert (result.success, result.reward) == (True, 1.0)
    assert result.details


@pytest.mark.parametrize(("passing", "reward"), [(0, 0.5), (5, 0.75), (10, 1.0)])
def test_the_reward_structure(passing: int, reward: float) -> None:
    tests = [
        {"input": f"{n}\n", "expected": f"{n * n}" if n < passing else "no"} for n in range(10)
    ]
    verifier = ExecutionVerifier(test_cases=tests)
    assert verifier.verify(SQUARE).reward == reward
    assert verifier.verify("int main() {").reward == 0.0


def test_compiling_with_warnings() -> None:
    verifier = ExecutionVerifier(test_cases=[{"input": "", "expected": "x"}], flags=["-Wall"])
    assert verifier.verify("int main() { int unused; return 0; }").reward == 0.3


def test_the_format_of_test_cases() -> None:
    test_cases = [
        {
            "input": "5\n",
            "expected": "25",
            "name": "test_square_5",
            "timeout": 5,
        },
        {"input": "6\n", "expected": "36"},
    ]
    result = ExecutionVerifier(test_cases=test_cases).verify(SQUARE)
    assert result.success
    assert result.cases[0].name == "test_square_5"


@pytest.mark.parametrize(
    ("mode", "expected", "output"),
    [
        ("exact", "2.50", "2.50"),
        ("contains", "is 2", "it is 2.50"),
        ("regex", r"\d\.\d+", "2.50"),
        ("numeric", "2.5", "2.50"),
    ],
)
def test_the_match_modes(mode: Any, expected: str, output: str) -> None:
    tests = [{"input": "", "expected": expected}]
    verifier = ExecutionVerifier(test_cases=tests, match_mode=mode)
    code = "#include <iostream>\nint main() { std::cout << %s; }"
    assert verifier.verify(code % json.dumps(output)).success
    assert not verifier.verify(code % '"none"').success


@pytest.mark.parametrize(
    ("name", "command", "options"),
    [
        ("GCCExecutionVerifier", "g++", {"flags": ["-O2", "-Wall"]}),
        ("ClangExecutionVerifier", "clang++", {}),
        ("MinGWExecutionVerifier", "x86_64-w64-mingw32-g++", {}),
    ],
)
def test_the_variants(name: str, command: str, options: dict[str, Any]) -> None:
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed")
    result = getattr(steelyard, name)(test_cases=MY_TESTS, **options).verify(SQUARE)
    compiles_only = command.startswith("x86_64-w64")
    assert (result.compile.ok, result.success) == (True, not compiles_only)


def test_dynamic_test_cases() -> None:
    verifier = ExecutionVerifier()
    verifier.set_test_cases(
        [
            {"input": "1 2 3\n", "expected": "6"},
            {"input": "10 20 30\n", "expected": "60"},
        ]
    )
    code = "#include <iostream>\nint main() { int s = 0, x; while (std::cin >> x) s += x; "
    assert verifier.verify(code + "std::cout << s; }").success


@pytest.mark.parametrize("prompt", ["Input: 5 Output: 25", "Example: input=5, output=25"])
def test_tests_from_a_prompt(prompt: str) -> None:
    assert ExecutionVerifier().verify_with_prompt(SQUARE, prompt).success


def test_the_configuration_options(tmp_path: Path) -> None:
    verifier = ExecutionVerifier(
        compiler="g++",
        flags=["-O2", "-Wall"],
        test_cases=MY_TESTS,
        timeout=30,
        run_timeout=5,
        max_workers=8,
        match_mode="exact",
        partial_credit=True,
        binary_cache_dir=tmp_path / "binaries",
    )
    assert verifier.verify(SQUARE).success
    assert any((tmp_path / "binaries").iterdir())


def test_a_configuration_file(tmp_path: Path) -> None:
    file = tmp_path / "train.yaml"
    file.write_text(
        "model: base\nprompts: prompts.jsonl\nverifier:\n  type: execution\n  test_cases:\n"
        '    - input: "5\\n"\n      expected: "25"\n  match_mode: exact\n'
    )
    assert read_config(file).verifier.verify(SQUARE).success


def test_a_trainer_takes_the_verifier_of_the_first_prompt(tmp_path: Path) -> None:
    file = tmp_path / "prompts_with_tests.jsonl"
    rows = [{"prompt": f"Square it, {n}.", "test_cases": MY_TESTS} for n in range(4)]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with file.open() as f:
        data = [json.loads(line) for line in f]
    verifier = ExecutionVerifier(test_cases=data[0].get("test_cases", []))
    config = RAFTConfig(model=str(tmp_path / "nowhere"), output_dir=tmp_path / "run")
    trainer = RAFTTrainer(verifier=verifier, config=config)
    with pytest.raises(UsageError, match="there is no folder"):
        trainer.run([row["prompt"] for row in data], num_cycles=6)
    with pytest.raises(UsageError, match="no model is named; set model"):
        RAFTTrainer(verifier=verifier)
