"""The library's face: what it shows, and what importing it costs."""

import difflib
import importlib
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, UnionType
from typing import Union, get_args, get_origin, get_type_hints

import pytest

import steelyard
from steelyard._homes import HOMES
from steelyard.authoring.challenges._healing import open_healer
from steelyard.authoring.pytests import SuiteAuthor
from steelyard.evaluation._worker import JudgeData
from steelyard.evaluation.engines._engine import Engine
from steelyard.evaluation.engines._jobs import Backlog
from steelyard.jobs import JOBS, job
from steelyard.judging import entry_checker
from steelyard.models import Budget
from steelyard.options import Options, SpendingOptions
from steelyard.training import RewardOptions, reward
from tests.unit.public_face import SNAPSHOT, described


def test_every_name_on_the_face_resolves() -> None:
    for name in steelyard.__all__:
        assert getattr(steelyard, name) is not None
    assert set(steelyard.__all__) == {name for names in HOMES.values() for name in names}
    assert list(steelyard.__all__) == sorted(steelyard.__all__)


def test_every_name_of_a_room_resolves() -> None:
    root = Path(steelyard.__file__).parent
    for face in sorted(root.rglob("__init__.py")):
        room = importlib.import_module(".".join(("steelyard", *face.relative_to(root).parts[:-1])))
        for name in getattr(room, "__all__", ()):
            assert hasattr(room, name), f"{room.__name__}.{name}"


def test_the_table_of_the_house_has_a_row_for_each_folder() -> None:
    root = Path(steelyard.__file__).parent
    table = Path("docs/explanation/house.md").read_text("utf-8")
    rooms = {face.parent.name for face in root.glob("*/__init__.py")}
    assert {name for name in rooms if f"| `{name}/` |" not in table} == set()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        steelyard.nothing  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'author'"):  # `Author` is on the face
        steelyard.author  # noqa: B018


def test_the_function_of_each_job_shows_its_defaults() -> None:
    for name in JOBS:
        assert "Undefined" not in str(inspect.signature(job(name).function))


def test_importing_the_library_imports_nothing_heavy() -> None:
    code = (
        "import sys, steelyard; heavy = {'pydantic', 'typer', 'rich', 're2', 'docker', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["typer", "docker"])
def test_judging_needs_no_command_line_and_no_extra(module: str) -> None:
    code = f"import sys; from steelyard import ExecutionVerifier; print('{module}' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"


def test_names_and_signatures_are_those_that_users_know() -> None:
    known, now = SNAPSHOT.read_text("utf-8").splitlines(), described().splitlines()
    changes = list(difflib.unified_diff(known, now, "known", "now", lineterm="", n=0))
    assert not changes, (
        "the public face changes; if that is meant, run `python -m tests.unit.public_face` and "
        "list old and new in CHANGELOG.md:\n" + "\n".join(changes)
    )


def test_public_names_have_steelyard_as_their_home() -> None:
    for name in steelyard.__all__:
        value = getattr(steelyard, name)
        if isinstance(value, type | FunctionType):
            assert value.__module__ == "steelyard", name
            assert value.__name__ == name
            assert pickle.loads(pickle.dumps(value)) is value, name
            assert inspect.getdoc(value), f"{name} has no docstring"


@pytest.mark.parametrize(
    ("function", "options", "own"),
    [
        (steelyard.judge, steelyard.JudgeOptions, {"program", "tests"}),
        (steelyard.profile, steelyard.ProfileOptions, {"program", "inputs"}),
        (
            steelyard.compare_growth,
            steelyard.ProfileOptions,
            {"program", "versus", "inputs", "versus_language"},
        ),
        (steelyard.compare, steelyard.CompareOptions, {"program", "function", "root", "kind"}),
        (steelyard.solve, steelyard.SolveOptions, {"problem", "generator", "logs"}),
        (steelyard.measure_strength, steelyard.StrengthOptions, {"suite", "solution"}),
        (steelyard.evaluate, steelyard.EvaluateOptions, {"benchmark", "out"}),
        (reward, RewardOptions, {"test_cases"}),
    ],
)
def test_a_function_takes_the_fields_of_its_options_with_their_defaults(
    function: Callable[..., object], options: type[Options], own: set[str]
) -> None:
    parameters = inspect.signature(function).parameters
    # A reward reports to `on_result`.
    lacking = {"on_event"} if options is RewardOptions else set()
    assert parameters.keys() - own == options.model_fields.keys() - lacking
    assert issubclass(options, Options)
    for name in parameters.keys() - own:
        field, parameter = options.model_fields[name], parameters[name]
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if field.default_factory is None:
            assert parameter.default == field.default, name


_MEANT = {"match_mode": "exact", "reward": steelyard.graduated, "entry": steelyard.Entry()}
"""What the default of an option means, by the option."""


@pytest.mark.parametrize(
    ("function", "options"),
    [
        *(
            (each, steelyard.JudgeOptions)
            for each in (
                steelyard.ExecutionVerifier.__init__,
                steelyard.Judge,
                JudgeData,
                steelyard.ValueChecker,
                steelyard.checker_for,
                steelyard.value_checker_for,
                entry_checker,
                steelyard.find_toolchain,
                steelyard.Task,
            )
        ),
        (steelyard.Solver.aresume, steelyard.SolveOptions),
        (steelyard.Author.aresume, steelyard.AuthorOptions),
        (SuiteAuthor.aresume, SpendingOptions),
        (open_healer, SpendingOptions),
        (Engine.run, SpendingOptions),
        (Backlog.__init__, SpendingOptions),
        (Budget.__init__, SpendingOptions),
    ],
)
def test_an_option_that_is_written_again_is_the_same(
    function: Callable[..., object], options: type[Options]
) -> None:
    taken, known = (get_type_hints(each) for each in (function, options))
    for name in taken.keys() & options.model_fields.keys() - {"match_mode"}:  # text in a task
        assert _kinds(taken[name]) <= _kinds(known[name]), name
    for name, parameter in inspect.signature(function).parameters.items():
        if name in options.model_fields and parameter.default is not inspect.Parameter.empty:
            usual = options.model_fields[name].default
            assert parameter.default in (None, usual, _MEANT.get(name)), name


def _kinds(hint: object) -> set[object]:
    several = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return {*several} - {type(None)}


@pytest.mark.parametrize(
    "name",
    ["judge", "profile", "compare", "compare_growth", "solve", "measure_strength", "evaluate"],
)
def test_each_job_has_an_async_twin_with_the_same_arguments(name: str) -> None:
    function, twin = getattr(steelyard, name), getattr(steelyard, f"a{name}")
    assert inspect.iscoroutinefunction(twin)
    assert not inspect.iscoroutinefunction(function)
    assert inspect.signature(twin).parameters == inspect.signature(function).parameters
