"""Run the tests that assertions define and do not call: functions, and classes of unittest."""

from __future__ import annotations

import inspect
import io
import itertools
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import Any, NamedTuple

from steelyard.toolchains.incell.asking import Channel, TestsError
from steelyard.toolchains.incell.tested import called_at_the_top, called_names

SOLUTION = "solution"
"""The module from which tests may import the candidate's names."""


def offer_solution(channel: Channel) -> None:
    """Make the module `solution`, whose names are the candidate's."""
    module = types.ModuleType(SOLUTION)

    def name_of_program(name: str) -> object:
        try:
            return channel.named(name)
        except KeyError:
            raise AttributeError(name) from None

    module.__dict__["__getattr__"] = name_of_program
    sys.modules[SOLUTION] = module


def run_tests(names: dict[str, Any], code: str) -> None:
    """Run each test once, as unittest and pytest find them.

    Args:
        names: What the assertions define.
        code: Their text.

    Raises:
        BaseException: what the first test raises that fails.
        TestsError: for a test that needs a fixture that is not supported.
    """
    ran, helpers = called_at_the_top(code), called_names(code)
    for name, value in list(names.items()):
        if name in ran or getattr(value, "__module__", None) != names.get("__name__"):
            continue
        if isinstance(value, type):
            if _is_test_case(value):
                _run_test_case(value)
            elif name.startswith("Test"):
                for method in [each for each in vars(value) if each.startswith("test")]:
                    _run_function(getattr(value(), method))
        elif name.startswith("test") and inspect.isfunction(value):
            if name in helpers and _needed(value):
                continue
            _run_function(value)


def _is_test_case(value: type) -> bool:
    unittest = sys.modules.get("unittest")
    return unittest is not None and issubclass(value, unittest.TestCase)


def _run_test_case(value: type) -> None:
    import unittest  # the assertions have loaded it  # noqa: PLC0415

    raised: list[BaseException] = []

    class Result(unittest.TestResult):
        """Keeps the first exception."""

        def addError(self, _test: Any, error: Any) -> None:  # noqa: N802
            raised.append(error[1])
            self.stop()

        addFailure = addError  # type: ignore[assignment]  # noqa: N815

        def addSubTest(self, _test: Any, _subtest: Any, error: Any) -> None:  # noqa: N802
            if error is not None:
                self.addError(_test, error)

    unittest.defaultTestLoader.loadTestsFromTestCase(value).run(Result())
    if raised:
        raise raised[0]


def _run_function(function: Callable[..., object]) -> None:
    for arguments in _parameters(getattr(function, "pytestmark", ())):
        with ExitStack() as opened:
            for name in [each for each in _needed(function) if each not in arguments]:
                if name not in _FIXTURES:
                    raise TestsError(
                        f"{function.__name__} needs the fixture {name}; there are"
                        f" {' and '.join(_FIXTURES)}"
                    )
                arguments[name] = opened.enter_context(_FIXTURES[name]())
            function(**arguments)


def _needed(function: Callable[..., object]) -> list[str]:
    """Return the names of a function's arguments, but for those that a decorator gives."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    return [
        each.name
        for each in parameters
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]


class _Printed(NamedTuple):
    out: str
    err: str = ""


class _Capture:
    def __init__(self, text: io.StringIO) -> None:
        self._text = text

    def readouterr(self) -> _Printed:
        """Return what was printed since the last time."""
        text = self._text.getvalue()
        self._text.seek(0)
        self._text.truncate()
        return _Printed(text)


@contextmanager
def _captured() -> Iterator[_Capture]:
    with redirect_stdout(io.StringIO()) as text:
        yield _Capture(text)


@contextmanager
def _new_folder() -> Iterator[object]:
    import pathlib  # few tests need them  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as name:
        yield pathlib.Path(name)


_FIXTURES: dict[str, Callable[[], Any]] = {"capsys": _captured, "tmp_path": _new_folder}


def _parameters(marks: Any) -> Iterator[dict[str, Any]]:
    """Yield the arguments of each run that `pytest.mark.parametrize` asks for."""
    tables = []
    for mark in marks:
        if mark.name == "parametrize":
            names, rows = mark.args[:2]
            given = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
            values = (getattr(row, "values", row) for row in rows)
            tables.append(
                [dict(zip(given, row if len(given) > 1 else [row])) for row in values]  # noqa: B905
            )
    for chosen in itertools.product(*tables):
        yield {name: value for part in chosen for name, value in part.items()}
