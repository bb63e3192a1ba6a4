"""Read tests that are Python code: assertions, `check(candidate)`, unittest, pytest."""

from steelyard.errors import TestsError
from steelyard.judging.forms._form import Source, TaskFields
from steelyard.judging.forms._pairs import decoded

__all__ = ["read_asserts", "read_check", "read_input", "read_output", "read_test_code"]


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

    The prompt begins the function, and defines helpers of the tests too, so it is their setup.

    Raises:
        TestsError: if the tests are not one text.
    """
    if not isinstance(source.tests, str):
        raise TestsError("tests are not text; write a function check(candidate)")
    setup = "\n".join(filter(None, [source.setup, source.prompt]))
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
