"""All forms: the conventions by which the evaluators of sources judge a program.

1. A form reads the tests as the source writes them, into the fields of a `Task`.
2. It decides how printed text and values are compared if the task does not.
3. It gives programs the names that the evaluator imports for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from steelyard._printable import nearest
from steelyard.errors import UsageError
from steelyard.judging.forms._code import (
    CODE_KEYS,
    read_asserts,
    read_check,
    read_checked_call,
    read_ground_truth,
    read_input,
    read_output,
    read_program_rest,
    read_stubbed_test_code,
    read_test_code,
)
from steelyard.judging.forms._pairs import Source, TaskFields, read_design, read_pairs

_GITHUB = "https://github.com/"
_CALLED = MappingProxyType({"sequences_alike": True})
_APPS = MappingProxyType({"sequences_alike": True, "one_item_lists": True})
_NUMBERS_NEAR = MappingProxyType({"match_mode": "float_tokens"})
_WORDS = MappingProxyType({"match_mode": "tokens"})
_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Form:
    """The conventions of one source."""

    name: str
    read: Callable[[Source], TaskFields]
    """Returns `entry`, `tests` and whatever else of a task follows from them.

    Raises TestsError for tests that are not in this form.
    """
    printed: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    """How printed text is compared, as fields of a `Task`."""
    values: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    """How the values of calls are compared, as fields of a `Task`."""
    limits: Mapping[str, int] = field(default_factory=lambda: _NONE)
    """Limits of a case if the row states none, as fields of a `Task`: those that the evaluator
    gives, if they are above the usual ones."""
    usual_names: bool = False
    """Python programs may use the names of contest sites without importing them, and recurse
    deep, even if they read standard input. (Functions always may.)"""
    source: str = ""
    """The address of the evaluator."""
    note: str = ""
    """One line for results: what a verdict of this form does not prove."""

    def fields(self, source: Source) -> TaskFields:
        """Return the fields of a task that its source's tests decide.

        Raises:
            TestsError: if the tests are not in this form.
        """
        read = self.read(source)
        return {"form": self.name, **self.conventions(str(read["entry"])), **read}

    def conventions(self, entry: str) -> TaskFields:
        """Return the fields of a task that the form decides for an entry, whatever its tests."""
        kind = entry.partition(":")[0]
        comparison = (
            self.printed if kind == "stdio" else _NONE if kind == "asserts" else self.values
        )
        return {**self.limits, **comparison}


_TABLE = (
    Form("stdio", read_pairs),
    Form("calls", read_pairs, values=_CALLED),
    Form("asserts", read_asserts),
    Form("unittest", read_test_code),
    Form("pytest", read_test_code),
    Form("humaneval", read_check, source=f"{_GITHUB}openai/human-eval"),
    Form("evalplus", read_check, source=f"{_GITHUB}evalplus/evalplus"),
    Form("mbpp", read_asserts, source=f"{_GITHUB}google-research/google-research/tree/master/mbpp"),
    Form(
        "apps",
        read_ground_truth,
        printed=_NUMBERS_NEAR,
        values=_APPS,
        usual_names=True,
        source=f"{_GITHUB}hendrycks/apps",
    ),
    Form(
        "deepcoder",
        read_ground_truth,
        printed=_NUMBERS_NEAR,
        values=_APPS,
        usual_names=True,
        limits={"time_limit_ms": 12_000},
        source=f"{_GITHUB}agentica-project/rllm",
    ),
    Form(
        "open-r1",
        read_ground_truth,
        printed=_WORDS,
        values=_CALLED,
        source=f"{_GITHUB}huggingface/open-r1",
    ),
    Form(
        "livecodebench",
        read_ground_truth,
        printed={"match_mode": "float_tokens", "abs_tol": 0.0, "rel_tol": 0.0},
        values=_CALLED,
        usual_names=True,
        limits={"time_limit_ms": 6_000},
        source=f"{_GITHUB}LiveCodeBench/LiveCodeBench",
    ),
    Form(
        "codecontests",
        read_pairs,
        printed={"match_mode": "float_tokens", "abs_tol": 1e-5, "ignore_case": True},
        source=f"{_GITHUB}google-deepmind/code_contests",
    ),
    Form(
        "sandboxfusion",
        read_pairs,
        printed={"match_mode": "float_tokens", "ignore_case": True},
        source=f"{_GITHUB}bytedance/SandboxFusion",
    ),
    Form("prints", read_pairs, printed={"match_mode": "contains"}),
    Form("codeforces", read_pairs, printed=_WORDS, source="https://codeforces.com"),
    Form("leetcode", read_pairs, values=_CALLED, source="https://leetcode.com"),
    Form("leetcode-design", read_design, values=_CALLED, source="https://leetcode.com"),
    Form(
        "leetcode-dataset",
        read_checked_call,
        limits={"time_limit_ms": 10_000},
        source=f"{_GITHUB}newfacade/LeetCodeDataset",
    ),
    Form("acecode", read_asserts, source=f"{_GITHUB}TIGER-AI-Lab/AceCoder"),
    Form(
        "kodcode",
        read_test_code,
        limits={"time_limit_ms": 30_000},
        source=f"{_GITHUB}KodCode-AI/kodcode",
    ),
    Form(
        "bigcodebench",
        read_stubbed_test_code,
        limits={"time_limit_ms": 240_000, "memory_limit_mib": 4_096},
        source=f"{_GITHUB}bigcode-project/bigcodebench",
    ),
    Form("output-prediction", read_output, source=f"{_GITHUB}facebookresearch/cruxeval"),
    Form("input-prediction", read_input, source=f"{_GITHUB}facebookresearch/cruxeval"),
    Form(
        "multipl-e",
        read_program_rest,
        limits={"time_limit_ms": 15_000},
        note="the tests are compiled with the program, which could read them",
        source=f"{_GITHUB}nuprl/MultiPL-E",
    ),
    Form(
        "kattis",
        read_pairs,
        printed={"match_mode": "tokens", "ignore_case": True},
        source="https://www.kattis.com/problem-package-format",
    ),
)
FORMS: Mapping[str, Form] = MappingProxyType({each.name: each for each in _TABLE})
"""Every form by its name."""


def form_called(name: str) -> Form:
    """Return the form with this name.

    Raises:
        UsageError: if there is none.
    """
    if name in FORMS:
        return FORMS[name]
    raise UsageError(f"unknown form {name!r}{nearest(name, FORMS)}; use one of {', '.join(FORMS)}")


def form_of_tests(tests: object) -> str:
    """Return the form of tests that come without one; empty if they are cases.

    Parallel lists of inputs and outputs, as verl and NeMo-Gym hold them, are after APPS.
    """
    keys = ("inputs", *CODE_KEYS)
    return "apps" if isinstance(tests, Mapping) and any(key in tests for key in keys) else ""
