"""Read tests that are Python code: assertions, `check(candidate)`, unittest, pytest."""

import re
from collections.abc import Mapping
from dataclasses import replace

from steelyard._python_trees import python_tree
from steelyard.errors import TestsError
from steelyard.judging.forms._form import Source, TaskFields
from steelyard.judging.forms._leetcode import LEETCODE_NAMES, WITH_NODES
from steelyard.judging.forms._pairs import decoded, read_pairs

_CALLED = re.compile(r"[^\W\d]\w*(\(\))?(\.[^\W\d]\w*)?")
_SHARING = re.compile(
    r"\b(?:tempfile|shutil|pathlib|socket|patch|Mock|MagicMock)\b|\bopen\(|\bPath\("
    r"|\bos\.(?:makedirs|mkdir|remove|rmdir|unlink|listdir|chdir|path\.(?:exists|isfile|isdir))\b"
)
_CHECKS = re.compile(r"^check\(([\w.()]+)\)\s*\Z", re.MULTILINE)


def read_asserts(source: Source) -> TaskFields:
    """Return the fields for a list of texts, each a case, or for one text.

    Raises:
        TestsError: for anything else.
    """
    texts = source.tests
    if isinstance(texts, str):
        texts = decoded(texts) if texts.lstrip().startswith("[") else [texts]
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise TestsError("tests are not a list of texts; write assertions in it")
    return {
        "entry": f"asserts:{source.name}" if source.name else "asserts",
        "language": "python",
        "setup": source.setup,
        "tests": [{"code": each} for each in texts],
    }


def read_check(source: Source) -> TaskFields:
    """Return the fields for HumanEval's `check(candidate)`.

    The prompt begins the function, and defines helpers of the tests too, so it is their setup. A
    head alone, without a docstring, gets a body for that.

    Raises:
        TestsError: if the tests are not one text.
    """
    if not isinstance(source.tests, str):
        raise TestsError("tests are not text; write a function check(candidate)")
    prompt = source.prompt
    try:
        python_tree(prompt)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        prompt = f"{prompt.rstrip()}\n    pass\n"
    setup = "\n".join(filter(None, [source.setup, prompt]))
    return {
        "entry": f"asserts:{source.name}",
        "language": "python",
        "completion": "continuation",
        "setup": setup,
        "tests": [{"code": source.tests}],
    }


def read_test_code(source: Source) -> TaskFields:
    """Return the fields for test functions or classes of unittest: one case.

    Raises:
        TestsError: if the tests are not one text.
    """
    if not isinstance(source.tests, str):
        raise TestsError("tests are not text; write test functions or classes")
    return {
        "entry": f"asserts:{source.name}" if source.name else "asserts",
        "language": "python",
        "setup": source.setup,
        "tests": [{"code": source.tests}],
    }


def read_stubbed_test_code(source: Source) -> TaskFields:
    """Return the fields for tests that may use what the head of the function imports and defines.

    `setup` ends with that head, without a body.

    Raises:
        TestsError: if the tests are not one text, or share more with the program than calls.
    """
    if found := _SHARING.search(str(source.tests)):
        raise TestsError(
            f"the tests share files or patched names with the program ({found[0].strip('(')}), "
            "which runs in another process; leave the task out"
        )
    head = f"{source.setup.rstrip()}\n    pass\n" if source.setup else ""
    return {**read_test_code(replace(source, setup=head)), "completion": "continuation"}


def read_checked_call(source: Source) -> TaskFields:
    """Return the fields for `check(candidate)` that gets what `name` is, as `Solution().add`.

    `setup` runs before the program and before the tests.

    Raises:
        TestsError: if the tests are not one text, or the name is neither a function nor a method.
    """
    if not isinstance(source.tests, str):
        raise TestsError("tests are not text; write a function check(candidate)")
    if not _CALLED.fullmatch(source.name):
        raise TestsError(
            f"{source.name[:100]!r} does not name what check gets; write add or Solution().add"
        )
    called = source.name
    setup = source.setup
    if "class ListNode" in setup:
        setup, called = f"{setup}{WITH_NODES}", f"_with_nodes({called})"
    code = f"{source.tests}\n\ncheck({called})\n"
    return {
        **read_test_code(replace(source, name="", setup=setup, tests=code)),
        "completion": "continuation",
        "starter_code": f"{source.setup}\n",
    }


def read_ground_truth(source: Source) -> TaskFields:
    """Return the fields for what trainers hold as the truth of a row.

    1. Pairs of an input and an output, of standard input or calls, in every way of `read_pairs`.
    2. `{"functional": code}`: Python that runs after the program. It may use LeetCode's names.
    3. `{"pytest": code}`, or code alone: test functions.
    4. `{"assert_case": [code]}`: assertions.

    Raises:
        TestsError: for anything else.
    """
    tests = source.tests
    if isinstance(tests, str) and not tests.lstrip().startswith(("{", "[")):
        return read_test_code(source)
    tests = decoded(tests)
    key = next((key for key in CODE_KEYS if isinstance(tests, Mapping) and tests.get(key)), "")
    if not isinstance(tests, Mapping) or not key:
        return read_pairs(replace(source, tests=tests))
    held = replace(source, tests=tests[key], name="")
    if key == "assert_case":
        return read_asserts(held)
    if key == "pytest":
        return read_test_code(held)
    held = replace(held, setup=LEETCODE_NAMES)
    code = str(held.tests)
    if ends := _CHECKS.search(code):
        return read_checked_call(replace(held, tests=code[: ends.start()], name=ends[1]))
    program = {"completion": "continuation", "starter_code": LEETCODE_NAMES}
    return {**read_test_code(held), **program}


CODE_KEYS = ("functional", "pytest", "assert_case")
"""Keys of a ground truth whose value is Python code."""


def read_output(source: Source) -> TaskFields:
    """Return the fields for a question whose answer is a value, written as a Python expression.

    Raises:
        TestsError: if the tests are not the value's text.
    """
    return _answered(source, "expression", f"assert answer() == ({source.tests})")


def read_input(source: Source) -> TaskFields:
    """Return the fields for a question whose answer is the arguments for a value.

    The function `name`, which `setup` defines, runs on the side of the tests: an answer is plain
    data.

    Raises:
        TestsError: if the tests are not the value's text.
    """
    call = f"_args, _named = answer()\nassert {source.name}(*_args, **_named) == ({source.tests})"
    return _answered(source, "arguments", call)


def _answered(source: Source, completion: str, code: str) -> TaskFields:
    if not isinstance(source.tests, str):
        raise TestsError("tests are not text; write the expected value as Python does")
    return {
        "entry": "asserts:answer",
        "language": "python",
        "completion": completion,
        "setup": source.setup,
        "tests": [{"code": code}],
    }
