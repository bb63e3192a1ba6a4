"""What runs in cells, laid out where an interpreter finds it; once for each process."""

import compileall
import shutil
import weakref
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import steelyard
from steelyard._scratch_folders import make_scratch_folder, remove_scratch_folder
from steelyard.sandbox import fork_server_library

LIBRARY = "fork_server.so"
"""The fork server's loop, in the folder."""
START = "steelyard.project_runs.incell.start"
"""The module that each run begins with."""
_TOOLS = (
    "pytest",
    "_pytest",
    "pluggy",
    "iniconfig",
    "packaging",
    "pygments",
    "py",
    "hypothesis",
    "_hypothesis_globals",
    "_hypothesis_ftz_detector",
    "sortedcontainers",
    "coverage",
    "line_profiler",
    "kernprof",
)
"""What runs need beside the project; a project's own copies go first."""


@cache
def code_folder() -> Path:
    """A folder with our own part in it, that goes with this process."""
    folder = make_scratch_folder("code")
    weakref.finalize(code_folder, remove_scratch_folder, folder)
    package = Path(steelyard.__file__).parent
    for source in package.rglob("incell"):
        # Of use where the project's interpreter is of this one's version, and where it may be kept.
        compileall.compile_dir(source, quiet=2)
        target = folder / "code" / source.relative_to(package.parent)
        # Bytecode has such a name while another process writes it.
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.pyc.*"))
    shutil.copyfile(fork_server_library(), folder / LIBRARY)
    for path in (folder, *folder.rglob("*")):  # a cell reads it as another user
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


@cache
def tools() -> tuple[Path, ...]:
    """Where this interpreter has the packages that runs need."""
    found = []
    for name in _TOOLS:
        spec = find_spec(name)
        if spec is not None and spec.origin:
            path = Path(spec.origin)
            found.append(path.parent if path.name == "__init__.py" else path)
    return tuple(found)
