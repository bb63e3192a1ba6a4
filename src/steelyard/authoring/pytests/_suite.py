"""Read a suite without running it: which tests it has, and what each of them claims."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from steelyard.project_runs import UnparsableError, parse
from steelyard.schemas import CATEGORIES, SuiteCategory

_HEAD = re.compile(
    r"[\s#`*]*(?:file(?:name)?\s*:)?[\s`*]*(?:[\w.-]+/)*"
    r"((?:test_[A-Za-z0-9_]{1,80}|[A-Za-z0-9_]{1,80}_test)\.py)[`*:\s]*$",
    re.IGNORECASE,
)
_LONGEST_HEAD = 300
_BROAD = ("Exception", "BaseException")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """A test function as it is written."""

    name: str
    """`test_x` or `TestGroup::test_x`, as in its node ids."""
    category: SuiteCategory | None
    """The category that its name claims."""
    fault: str = ""
    """Why it does not count for that category, whatever it does."""
    asserts: bool = True
    """False if it holds no assertion that could depend on the module."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A file of tests."""

    file_name: str
    code: str
    """Without the line that names the file."""
    tests: tuple[WrittenTest, ...] = ()
    fault: str = ""
    """Why it cannot be read."""

    def test_of(self, node_id: str) -> WrittenTest | None:
        """Return the function of a node id of pytest."""
        name = node_id.partition("::")[2].partition("[")[0]
        return next((each for each in self.tests if each.name == name), None)


def default_name(module: str) -> str:
    """Return the usual name of a module's test file."""
    return f"test_{module.rpartition('.')[2]}.py"


def suite_of_text(text: str) -> tuple[str | None, str]:
    """Return the file's name in the first line of a suite, and the rest; None without a name."""
    first, _, rest = text.lstrip("\ufeff\r\n\t ").partition("\n")
    match = _HEAD.fullmatch(first.strip()[:_LONGEST_HEAD])
    return (match[1], rest) if match else (None, text)


def read_suite(code: str, file_name: str) -> Suite:
    """Return the tests of a suite.

    Args:
        code: The suite's text, without the line that names the file; hostile.
        file_name: The name of its file.
    """
    try:
        return _read(parse(code).tree, code, file_name)
    except UnparsableError as error:
        line = f"line {error.line}: " if error.line and "line" not in str(error) else ""
        return Suite(file_name, code, fault=f"it is not valid Python: {line}{error}")
    except RecursionError:
        return Suite(file_name, code, fault="it is nested too deeply")


def _read(tree: ast.Module, code: str, file_name: str) -> Suite:
    helpers = {node.name: node for node in ast.walk(tree) if isinstance(node, _Function)}
    seen: dict[str, str] = {}
    tests = []
    for name, node in _functions(tree):
        body = ast.dump(ast.Module([*node.decorator_list, node.args, *node.body], []))  # type: ignore[list-item]
        twin = seen.setdefault(body, name)
        tests.append(_written(name, node, helpers, "" if twin == name else twin))
    if not tests:
        return Suite(file_name, code, fault="it has no test function")
    twice = next((name for name, count in Counter(t.name for t in tests).items() if count > 1), "")
    fault = f"two tests have the name {twice}, so that pytest runs only one" if twice else ""
    return Suite(file_name, code, tuple(tests), fault)


def _functions(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    """Yield the tests that pytest finds, by the usual rules of names."""
    for node in tree.body:
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and (node.name.startswith("Test") or node.bases):
            for inner in node.body:
                if isinstance(inner, _Function) and inner.name.startswith("test"):
                    yield f"{node.name}::{inner.name}", inner


def _written(
    name: str, node: _Function, helpers: Mapping[str, _Function], twin: str
) -> WrittenTest:
    """Return a test by its name, its text, and the helpers and fixtures that it uses."""
    used = {
        getattr(each, "id", getattr(each, "arg", getattr(each, "attr", "")))
        for each in ast.walk(node)
        if isinstance(each, ast.Name | ast.arg | ast.Attribute)
    } - {node.name}
    # One step deep: what a helper's helper does is not the test's own.
    bodies = [node, *(helpers[each] for each in sorted(used & helpers.keys()))]
    raised = [error for body in bodies for error in _raised(body)]
    category = _category_of(node.name)
    asserts = bool(raised) or any(map(_asserts, bodies))
    fault = ""
    if not asserts:
        fault = "it asserts nothing"
    elif category is None:
        fault = f"its name begins with none of {', '.join(f'test_{each}_' for each in CATEGORIES)}"
    elif twin:
        fault = f"it repeats {twin}"
    elif category == "normal" and raised:
        fault = "it expects an exception"
    elif category == "exception" and not raised:
        fault = "it has no pytest.raises"
    elif category == "exception" and all(map(_is_broad, raised)):
        fault = "pytest.raises(Exception) accepts any error; name the exact one"
    return WrittenTest(name, category, fault, asserts)


def _category_of(name: str) -> SuiteCategory | None:
    return next(
        (each for each in CATEGORIES if re.match(rf"test_{each}(?:_|$)", name)),
        None,
    )


def _calls(body: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls in a body, each with the last part of the function's name."""
    for node in ast.walk(body):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", "")), node


def _raised(body: ast.AST) -> Iterator[ast.expr]:
    """Yield the exceptions that a body expects."""
    for name, call in _calls(body):
        if name in ("raises", "assertRaises", "assertRaisesRegex"):
            expected = [each.value for each in call.keywords if each.arg == "expected_exception"]
            yield from (call.args[:1] or expected)[:1]


def _is_broad(error: ast.expr) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id in _BROAD
        for each in (error.elts if isinstance(error, ast.Tuple) else [error])
    )


def _asserts(body: ast.AST) -> bool:
    if any(isinstance(node, ast.Assert) and _uses_a_value(node.test) for node in ast.walk(body)):
        return True
    return any(
        name.startswith("assert") or name in ("fail", "warns", "deprecated_call")
        for name, _ in _calls(body)
    )


def _uses_a_value(test: ast.expr) -> bool:
    """Return False for `assert True`, `assert 1 == 1` and the like."""
    return any(isinstance(node, ast.Name) for node in ast.walk(test))


def bounds_in(tree: ast.AST) -> frozenset[int]:
    """Return the whole numbers that a program names."""
    return frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int)
        and not isinstance(node.value, bool)
    )
