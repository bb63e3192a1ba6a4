"""Read cases of assertions: Python text that calls the function under test."""

import ast
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.errors import TestsError
from steelyard.judging.loading._row import Row
from steelyard.judging.loading._shape import Shape
from steelyard.schemas import Entry


def spread_setup(value: object) -> object:
    """Return the cases of a mapping, each with the setup that the mapping gives for all."""
    if not isinstance(value, Mapping) or "setup" not in value:
        return value
    rest = {key: field for key, field in value.items() if key != "setup"}
    for key, cases in rest.items():
        if isinstance(cases, Sequence) and not isinstance(cases, str | bytes):
            rest[key] = [_with_setup(case, value["setup"]) for case in cases]
    return rest


def _with_setup(case: object, setup: object) -> object:
    if isinstance(case, str):
        return {"code": case, "setup": setup}
    return {"setup": setup, **case} if isinstance(case, Mapping) else case


def read_python(path: Path) -> list[Row]:
    """Return the assert statements and the `check` function of a file, the rest as setup.

    Raises:
        TestsError: if the file is not Python, or asserts nothing.
        OSError: if it cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
        tree = ast.parse(text)
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        raise TestsError(f"{path}{line}: {error.msg}; correct this line") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise TestsError(
            f"{path}: not Python that can be read ({error}); save it as UTF-8 text"
        ) from error
    setup: list[str] = []
    cases: list[tuple[int, str]] = []
    for node in tree.body:
        source = _source_of(node, text)
        is_check = isinstance(node, ast.FunctionDef) and node.name == "check"
        if isinstance(node, ast.Assert) or is_check:
            cases.append((node.lineno, source))
        else:
            setup.append(source)
    if not cases:
        raise TestsError(f"{path}: no assert statement and no check(candidate); add one")
    shared = "\n".join(setup)
    return [Row({"code": code, "setup": shared}, str(path), line) for line, code in cases]


def _source_of(node: ast.stmt, text: str) -> str:
    """Return the text of a statement, with its decorators, which `ast` leaves out."""
    above = [ast.get_source_segment(text, each) for each in getattr(node, "decorator_list", ())]
    return "\n".join([*(f"@{each}" for each in above), ast.get_source_segment(text, node) or ""])


def _fault_of(value: Mapping[object, object]) -> str:
    for key in ("code", "setup"):
        if not isinstance(value.get(key, "" if key == "setup" else None), str | None):
            return f'"{key}" is not text; write Python source in it'
    imports = value.get("test_imports")
    if imports is not None and not (
        isinstance(imports, list | tuple) and all(isinstance(line, str) for line in imports)
    ):
        return '"test_imports" is not a list of lines; write them as text'
    name = value.get("entry")
    if name is not None and not (isinstance(name, str) and name.isidentifier()):
        return '"entry" is not a name; write the name of the function under test'
    return "" if value.get("code") else '"code" is missing; add the assertions'


def _fields_of(fields: dict[Any, Any], entry: Entry, *, from_json: bool) -> Mapping[Any, Any]:  # noqa: ARG001
    task = {
        "setup": "\n".join([*fields.pop("test_imports", ()), fields.pop("setup", "")]).strip("\n"),
        "code": fields.pop("code"),
        "entry": fields.pop("entry", None) or entry.name or None,
    }
    fields["input"] = json.dumps(task).encode()
    return fields


ASSERTS = Shape(
    keys=("code", "setup", "test_imports", "entry"),
    misnomers={
        "assert": "code",
        "test": "code",
        "check": "code",
        "test_setup": "setup",
        "prompt": "setup",
        "entry_point": "entry",
        "time_limit": "timeout",
        "id": "name",
    },
    example='"assert f(1) == 2" or {"code": "assert f(1) == 2"}',
    fault_of=_fault_of,
    fields_of=_fields_of,
)
