"""Write tasks as a package that a framework loads as an environment.

A package holds the tasks, as `steelyard datasets export` writes them, and one short file that hands
them to the framework's adapter; options of the reward can be edited there.
"""

import json
import keyword
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import Any, Literal

from steelyard._printable import nearest
from steelyard.datasets import EXPORTS, OnFault, with_sized_tests
from steelyard.errors import TestsError, UsageError
from steelyard.judging import loaded
from steelyard.reports import counted
from steelyard.schemas import Record, RowFault, Task

__all__ = ["Environment", "EnvironmentFramework", "export_environment"]

EnvironmentFramework = Literal["verifiers", "openenv", "inspect", "nemo-gym"]


class Environment(Record):
    """A package that `export_environment` has written."""

    framework: EnvironmentFramework
    folder: str
    tasks: int
    turns: int
    commands: tuple[str, ...]
    """Commands that install and run it."""


@dataclass(frozen=True)
class _Layout:
    """The files of one framework's packages; `$module` and others are replaced in all texts."""

    tasks: str
    """Path of the file of tasks."""
    files: Mapping[str, str]
    """Texts by path."""
    commands: tuple[str, ...]


_PROJECT = """\
[project]
name = "$name"
version = "1"
description = "$about, judged by Steelyard"
requires-python = ">=3.11"
dependencies = ["steelyard>=$version", "%s"]

[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[tool.setuptools.package-data]
"*" = ["*.jsonl"]
"""
_PACKAGES = """
[tool.setuptools]
packages = ["$module"]
"""
_VERIFIERS = _Layout(
    "$module/tasks.jsonl",
    {
        "pyproject.toml": _PROJECT % "verifiers>=0.4" + _PACKAGES,
        "$module/__init__.py": '''\
"""$about for verifiers and prime-rl, judged by Steelyard."""

from pathlib import Path

from steelyard.training import reward
from steelyard.training.adapters.verifiers import verifiers_environment

__all__ = ["CodeEnv", "CodeTasks"]

CodeTasks, CodeEnv = verifiers_environment(
    reward(), Path(__file__).with_name("tasks.jsonl"), $options
)
''',
    },
    ("pip install -e $folder", "vf-eval $name --model MODEL"),
)
_INSPECT = _Layout(
    "$module/tasks.jsonl",
    {
        "pyproject.toml": _PROJECT % "inspect-ai>=0.3.200"
        + _PACKAGES
        + """
[project.entry-points.inspect_ai]
$module = "$module"
""",
        "$module/__init__.py": '''\
"""$about for inspect_ai, judged by Steelyard."""

from pathlib import Path

from inspect_ai import Task, task

from steelyard.training import reward
from steelyard.training.adapters.inspect_ai import inspect_task


@task(name="$module")
def environment(turns: int = $turns) -> Task:
    """Give the model up to `turns` replies to each task."""
    rows = Path(__file__).with_name("tasks.jsonl")
    return inspect_task(reward(), rows, turns=turns, show_hidden=$show_hidden)
''',
    },
    ("pip install -e $folder", "inspect eval $module/$module --model MODEL"),
)
_OPENENV = _Layout(
    "server/tasks.jsonl",
    {
        "pyproject.toml": _PROJECT % "openenv>=0.10"
        + """
[tool.setuptools]
packages = ["$module", "$module.server"]
package-dir = { "$module" = ".", "$module.server" = "server" }

[project.scripts]
server = "$module.server.app:main"
""",
        "openenv.yaml": """\
spec_version: 1
name: "$module"
version: "1"
type: space
runtime: fastapi
app: server.app:app
port: 8000
validation:
  reward:
    range: [0.0, 1.0]
    oracle_tolerance: 0.0
    floor_margin: 0.1
  resources:
    cpu: 2.0
    memory_mb: 4096
    disk_mb: 1024
    episode_timeout_s: 600.0
  capabilities:
    verifier:
      kind: reward_channel
  types:
    tags: [coding]
""",
        "__init__.py": '"""$about for OpenEnv, judged by Steelyard."""\n',
        "server/__init__.py": '"""The server of the environment."""\n',
        "server/app.py": '''\
"""Serve $about for OpenEnv, judged by Steelyard."""

import argparse
from pathlib import Path

import uvicorn
from openenv.core.env_server import create_app

from steelyard.training import reward
from steelyard.training.adapters.openenv import openenv_environment

app = create_app(
    *openenv_environment(reward(), Path(__file__).with_name("tasks.jsonl"), $options),
    env_name="$module",
    max_concurrent_envs=64,
)


def main() -> None:
    """Serve until it is stopped."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, **vars(parser.parse_args()))


if __name__ == "__main__":
    main()
''',
    },
    ("cd $folder && python -m server.app --port 8000",),
)
_NEMO_GYM = _Layout(
    "resources_servers/$module/data/tasks.jsonl",
    {
        "resources_servers/$module/requirements.txt": "steelyard>=$version\n",
        "resources_servers/$module/app.py": '''\
"""Judge replies to $about for NeMo-Gym, by Steelyard."""

from steelyard.training import reward
from steelyard.training.adapters.nemo_gym import nemo_gym_server

CodeServer = nemo_gym_server(reward(), $options)

if __name__ == "__main__":
    CodeServer.run_webserver()
''',
        "resources_servers/$module/configs/$module.yaml": """\
"$module":
  resources_servers:
    "$module":
      entrypoint: app.py
      domain: coding
      description: $about, judged by Steelyard
      value: Improve programming
      verified: false
${module}_agent:
  responses_api_agents:
    gymnasium_agent:
      entrypoint: app.py
      resources_server:
        type: resources_servers
        name: "$module"
      model_server:
        type: responses_api_models
        name: policy_model
      max_steps: $turns
      datasets:
      - name: tasks
        type: train
        jsonl_fpath: resources_servers/$module/data/tasks.jsonl
        license: TBD
${module}_environment_server:
  environment_servers:
    legacy_agent:
      entrypoint: app.py
      agent_server:
        type: responses_api_agents
        name: "${module}_agent"
""",
    },
    ("gym env start --search-dir $folder --resources-server $module --model-type MODEL",),
)
_LAYOUTS: dict[EnvironmentFramework, _Layout] = {
    "verifiers": _VERIFIERS,
    "openenv": _OPENENV,
    "inspect": _INSPECT,
    "nemo-gym": _NEMO_GYM,
}
_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_TAKEN = {
    "steelyard",
    "verifiers",
    "openenv",
    "inspect_ai",
    "nemo_gym",
    "resources_servers",
    "server",
    "harbor",
    "lean",
    "textarena",
    *keyword.kwlist,
    *sys.stdlib_module_names,
}
"""Modules that a package would hide, and names that verifiers looks up in its own tasksets."""


def export_environment(
    tasks: Iterable[Task],
    folder: str | Path,
    *,
    framework: EnvironmentFramework,
    turns: int = 1,
    show_hidden: bool = False,
    on_fault: OnFault | None = None,
) -> Environment:
    """Write a package whose name is the folder's, which must not exist.

    Args:
        tasks: The tasks, taken one at a time.
        folder: The package's folder, such as `my-tasks`.
        framework: The framework that loads the package.
        turns: Replies of one conversation at most. After a reply that fails, the model gets the
            first failing case.
        show_hidden: Show the model failing cases that are not in the category `visible`, too.
        on_fault: Receives each task that is left out, as it has no tests that can be read. None:
            such a task is an error.

    Raises:
        UsageError: for an unknown framework, a name that cannot be a package's, or a folder that
            exists or cannot be written.
        TestsError: if there is no task; nothing is written then.
    """
    path = Path(folder)
    layout = _layout_of(framework)
    if turns < 1:
        raise UsageError(f"turns must be a number above 0, got {turns}")
    module = _module_of(path)
    try:
        if path.exists() or path.is_symlink():
            raise UsageError(f"{path} exists; name a new folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".steelyard-{os.urandom(8).hex()}")
        new.mkdir()
    except OSError as error:
        raise _unwritable(path, error) from error
    names: dict[str, object] = {
        "name": module.replace("_", "-"),
        "module": module,
        "turns": turns,
        "folder": shlex.quote(str(path)),
        "show_hidden": show_hidden,
        "version": version("steelyard"),
        "options": f"turns={turns}" + ", show_hidden=True" * show_hidden,
    }
    try:
        rows = new / _filled(layout.tasks, names)
        rows.parent.mkdir(parents=True)
        number = 0
        with rows.open("w", encoding="utf-8") as out:
            for row in _rows(tasks, on_fault):
                whole = _of_nemo_gym(row, module) if framework == "nemo-gym" else row
                out.write(f"{json.dumps(whole)}\n")
                number += 1
        if not number:
            raise TestsError("there is no task; name a data set that has some")
        names["about"] = counted(number, "programming task")
        for name, text in layout.files.items():
            file = new / _filled(name, names)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_filled(text, names), encoding="utf-8")
        new.rename(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return Environment(
        framework=framework,
        folder=str(path),
        tasks=number,
        turns=turns,
        commands=tuple(_filled(command, names) for command in layout.commands),
    )


def _rows(tasks: Iterable[Task], on_fault: OnFault | None) -> Iterator[dict[str, Any]]:
    """Yield the row of each task that can be judged."""
    for task in tasks:
        try:
            whole = with_sized_tests(task)
            if not loaded(whole).suite.cases:
                raise TestsError("there are no tests")
        except TestsError as error:
            if on_fault is None:
                raise TestsError(f"task {task.id}: {error}") from error
            origin = task.provenance
            on_fault(RowFault(file=origin.file or task.id, row=origin.row, message=str(error)))
            continue
        yield json.loads(EXPORTS["trainer"](whole))


def _of_nemo_gym(row: Mapping[str, Any], module: str) -> dict[str, Any]:
    """Return a row as NeMo-Gym reads it; the tests are where `nemo_gym_verify` looks for them."""
    return {
        "responses_create_params": {"input": [{"role": "user", "content": row["prompt"]}]},
        "verifier_metadata": {"unit_tests": row},
        "agent_ref": {"type": "responses_api_agents", "name": f"{module}_agent"},
    }


def _filled(text: str, names: Mapping[str, object]) -> str:
    return Template(text).substitute(names)


def _layout_of(framework: str) -> _Layout:
    layout = {str(name): layout for name, layout in _LAYOUTS.items()}.get(framework)
    if layout is None:
        raise UsageError(
            f"unknown framework {framework!r}{nearest(framework, _LAYOUTS)}; "
            f"use one of {', '.join(_LAYOUTS)}"
        )
    return layout


def _module_of(folder: Path) -> str:
    """Return the name of the package's module."""
    name = folder.name
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"the folder's name {name!r} is not a package's; use a to z, 0 to 9, - and _"
        )
    if module in _TAKEN:
        raise UsageError(f"{name!r} is the name of a module of Python or of a framework; rename it")
    return module


def _unwritable(folder: Path, error: OSError) -> UsageError:
    return UsageError(f"{folder} cannot be written: {error.strerror}; name another folder")
