"""Detect how Steelyard was installed, where it runs, and which command installs more of it."""

import json
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, requires
from importlib.util import find_spec
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from steelyard.errors import PlatformError

_NAME = "steelyard"


@dataclass(frozen=True, slots=True)
class Installation:
    """The origin of this copy, and the tool that installed it.

    Source: PEP 610 (`direct_url.json`), PEP 376 (`INSTALLER`).
    """

    tool: Literal["pip", "uv pip", "uv tool", "pipx"] = "pip"
    folder: str = ""
    """The folder from which it was built; empty if it was built from a package."""
    editable: bool = False
    """True if it runs from `folder`."""
    url: str = ""
    """The archive or repository from which it was built; empty for the package index."""
    gone: bool = False
    """True if the file or folder from which it was built was removed since."""
    interpreter: str = ""
    """The Python that has it; empty if the `pip` on PATH belongs to this Python."""

    def command(self, extra: str = "", *, rebuild: bool = False) -> str:
        """Return a shell command, on one line.

        Args:
            extra: An extra of the distribution to add, such as `solve`.
            rebuild: Build the native cell again on this machine.
        """
        if extra and self.gone:
            return self.packages(*_requirements_of(extra))
        extras = f"[{extra}]" if extra else ""
        url = "" if rebuild and self.url.endswith(".whl") else self.url
        named = f"{_NAME}{extras}" + (f" @ {url}" if url else "")
        target = f".{extras}" if self.folder else named
        words = [*self._program(rebuild=rebuild), *self._flags(rebuild=rebuild)]
        # Quoted because a shell may read the brackets as a pattern.
        words.append(f"'{target}'" if extras or url else target)
        command = " ".join(words)
        if not self.folder or os.path.realpath(self.folder) == os.path.realpath(os.curdir):
            return command
        return f"cd {shlex.quote(self.folder)} && {command}"

    def packages(self, *requirements: str) -> str:
        """Return a shell command that adds other packages, such as `wandb` or `ray>=2.52`."""
        match self.tool:
            case "uv tool":
                words = ["uv", "pip", "install", "--python", self.interpreter or "python"]
            case "pipx":
                words = ["pipx", "inject", _NAME]
            case _:
                words = self._program(rebuild=False)
        return " ".join([*words, *map(shlex.quote, requirements)])

    def _program(self, *, rebuild: bool) -> list[str]:
        # The command runs in the folder, so a path below it is relative to it.
        python = self.interpreter
        if self.folder:
            python = python.removeprefix(f"{self.folder}/")
        python = shlex.quote(python) if python else ""
        match self.tool:
            case "uv tool":
                return ["uv", "tool", "install", "--reinstall" if rebuild else "--force"]
            case "pipx":
                return ["pipx", "install", "--force"]
            case "uv pip":
                return ["uv", "pip", "install", "--python", python or "python"]
            case "pip":
                return [*([python, "-m"] if python else []), "pip", "install"]

    def _flags(self, *, rebuild: bool) -> list[str]:
        from_source = [] if self.folder else ["--no-binary", _NAME]
        flags: list[str] = []
        if rebuild:
            match self.tool:
                case "uv tool":
                    flags = ["--no-binary-package", _NAME] if from_source else []
                case "pipx":
                    flags = [f"--pip-args='{' '.join(['--no-cache-dir', *from_source])}'"]
                case "uv pip":
                    flags = ["--reinstall-package", _NAME, *from_source]
                case "pip":
                    flags = ["--force-reinstall", "--no-deps", "--no-cache-dir", *from_source]
        return [*flags, "-e"] if self.editable else flags


def install_command(extra: str) -> str:
    """Return the command that adds an extra, such as `pip install '.[solve]'` in a clone."""
    return find_installation().command(extra)


def packages_command(*requirements: str) -> str:
    """Return the command that adds packages of others, such as `pip install wandb`."""
    return find_installation().packages(*requirements)


def rebuild_command() -> str:
    """Return the command that builds the native cell on this machine."""
    return find_installation().command(rebuild=True)


@cache
def find_installation() -> Installation:
    """Return how this copy was installed, from its metadata and environment."""
    try:
        installed = distribution(_NAME)
    except PackageNotFoundError:  # run from a source tree
        root = Path(__file__).parents[2]
        is_clone = (root / "pyproject.toml").is_file()
        return Installation(folder=str(root) if is_clone else "", editable=is_clone)
    folder, editable, url, gone = _origin(installed)
    return Installation(_tool(installed), folder, editable, url, gone, _interpreter())


def _origin(installed: Distribution) -> tuple[str, bool, str, bool]:
    """Return the folder, whether it is editable, the URL, and whether what it names is gone."""
    try:
        record = json.loads(installed.read_text("direct_url.json") or "{}")
        url, in_folder, vcs = record.get("url", ""), record.get("dir_info"), record.get("vcs_info")
        if in_folder is not None:
            folder = unquote(urlsplit(url).path)
            if Path(folder, "pyproject.toml").is_file():
                return folder, bool(in_folder.get("editable")), "", False
            return "", False, "", True
        if vcs is not None:
            return "", False, f"{vcs['vcs']}+{url}@{vcs['commit_id']}", False
    except (AttributeError, KeyError, TypeError, ValueError):  # written by another tool
        return "", False, "", False
    gone = url.startswith("file:") and not Path(unquote(urlsplit(url).path)).is_file()
    return "", False, "" if gone else url, gone


def _requirements_of(extra: str) -> list[str]:
    """Return the requirements that an extra adds, without their markers."""
    named = re.compile(rf"""\bextra\s*==\s*["']{re.escape(extra)}["']""")
    pairs = (line.partition(";") for line in requires(_NAME) or ())
    return [requirement.strip() for requirement, _, marker in pairs if named.search(marker)]


def _tool(installed: Distribution) -> Literal["pip", "uv pip", "uv tool", "pipx"]:
    prefix = Path(sys.prefix)
    if (prefix / "uv-receipt.toml").is_file():
        return "uv tool"
    if (prefix / "pipx_metadata.json").is_file():
        return "pipx"
    by_uv = (installed.read_text("INSTALLER") or "").strip() == "uv"
    return "uv pip" if by_uv and find_spec("pip") is None else "pip"


def _interpreter() -> str:
    pip = shutil.which("pip")
    here = os.path.dirname(sys.executable)
    return "" if pip and os.path.dirname(pip) == here else sys.executable


def require_linux() -> None:
    """Check the operating system at first use: the library can be imported on every system.

    Raises:
        PlatformError: if this is not Linux.
    """
    # Not `sys.platform` itself: type checkers would call the rest unreachable on other systems.
    platform: str = sys.platform
    if platform == "linux":
        return
    if platform in ("win32", "cygwin"):
        advice = "install it in WSL 2 (`wsl --install`), or in a Linux container"
    else:
        advice = "install it in a Linux container or virtual machine"
    raise PlatformError(f"steelyard runs on Linux, got {platform}; {advice}")
