"""All forms, with the conventions that programs of Python and others are judged by."""

from collections.abc import Mapping
from types import MappingProxyType

from steelyard._printable import nearest
from steelyard.errors import UsageError
from steelyard.judging.forms._code import (
    read_asserts,
    read_check,
    read_input,
    read_output,
    read_test_code,
)
from steelyard.judging.forms._form import Form
from steelyard.judging.forms._pairs import read_design, read_pairs

__all__ = ["FORMS", "form_called", "form_of_tests"]

_HUB, _GITHUB = "https://huggingface.co/datasets/", "https://github.com/"
_CALLED = MappingProxyType({"sequences_alike": True})
_APPS = MappingProxyType({"sequences_alike": True, "one_item_lists": True})
_NUMBERS_NEAR = MappingProxyType({"match_mode": "float_tokens"})

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
        "apps", read_pairs, printed=_NUMBERS_NEAR, values=_APPS, usual_names=True,
        source=f"{_GITHUB}hendrycks/apps",
    ),
    Form(
        "livecodebench", read_pairs,
        printed={"match_mode": "float_tokens", "abs_tol": 0.0, "rel_tol": 0.0},
        values=_CALLED, usual_names=True, source=f"{_GITHUB}LiveCodeBench/LiveCodeBench",
    ),
    Form(
        "codecontests", read_pairs,
        printed={"match_mode": "float_tokens", "abs_tol": 1e-5, "ignore_case": True},
        source=f"{_GITHUB}google-deepmind/code_contests",
    ),
    Form("codeforces", read_pairs, printed={"match_mode": "tokens"}, source="https://codeforces.com"),
    Form("leetcode", read_pairs, values=_CALLED, source="https://leetcode.com"),
    Form("leetcode-design", read_design, values=_CALLED, source="https://leetcode.com"),
    Form("output-prediction", read_output, source=f"{_GITHUB}facebookresearch/cruxeval"),
    Form("input-prediction", read_input, source=f"{_GITHUB}facebookresearch/cruxeval"),
    Form(
        "kattis", read_pairs, printed={"match_mode": "tokens", "ignore_case": True},
        source="https://www.kattis.com/problem-package-format",
    ),
)  # fmt: skip

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
    if isinstance(tests, Mapping) and ("inputs" in tests or "assert_case" in tests):
        return "apps"
    return ""
