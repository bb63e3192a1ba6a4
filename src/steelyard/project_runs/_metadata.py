"""The metadata of a project that is not installed, as its installation would have it."""

import configparser
import re
import tomllib
from collections.abc import Mapping
from email.parser import Parser
from pathlib import Path

_UNKNOWN_VERSION = "0"
"""Of a project whose version is only known once it is built."""


def metadata_of(root: Path) -> dict[str, str]:
    """Return files by their paths, relative to a folder on `sys.path`.

    Returns:
        Nothing if nothing in the project gives it a name.
    """
    built = [*root.glob("*.egg-info"), *root.glob("src/*.egg-info")]
    text = next(filter(None, (_text(folder / "PKG-INFO") for folder in (root, *built))), "")
    points = next(filter(None, (_text(folder / "entry_points.txt") for folder in built)), "")
    declared = _declared(root)
    if not text:
        version = declared.get("version", _UNKNOWN_VERSION)
        text = f"Metadata-Version: 2.1\nName: {declared.get('name', '')}\nVersion: {version}\n"
    found = Parser().parsestr(text, headersonly=True)
    name = re.sub(r"[^A-Za-z0-9]+", "_", found.get("Name", ""))
    if not name:
        return {}
    return {
        f"{name}.dist-info/METADATA": text,
        f"{name}.dist-info/entry_points.txt": points or _written(declared.get("entry-points")),
    }


def _declared(root: Path) -> Mapping[str, object]:
    """Return what the project's files declare of it."""
    setup = configparser.RawConfigParser(strict=False)
    try:
        data = tomllib.loads(_text(root / "pyproject.toml"))
        setup.read_string(_text(root / "setup.cfg"))
    except (ValueError, RecursionError, configparser.Error):
        return {}
    old = dict(setup["metadata"]) if "metadata" in setup else {}
    poetry = data.get("tool", {}).get("poetry")
    return data.get("project") or poetry or old


def _written(points: object) -> str:
    """Return entry points, by group and name, as their file has them."""
    lines = []
    for group, named in points.items() if isinstance(points, dict) else ():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in named.items())]
    return "\n".join(lines)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""
