"""Where a project keeps its modules."""

import configparser
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_MOST_NAMES = 2000


def import_roots(root: Path) -> list[str]:
    """The folders that may be on `sys.path`, relative to the project, likeliest first."""
    named = [*_from_pyproject(root), *_from_ini(root)]
    roots: dict[str, None] = {}
    for folder in [".", "src", "lib", *named]:
        clean = PurePosixPath(folder.replace("\\", "/"))
        if clean.is_absolute() or ".." in clean.parts or not (root / clean).is_dir():
            continue
        roots[str(clean)] = None
    return list(roots)


def locate(root: Path, module: str) -> list[tuple[str, Path]]:
    """The files that a dotted name may stand for: each with its import root, best first."""
    found: dict[Path, str] = {}
    for folder in import_roots(root):
        stem = root / folder / module.replace(".", "/")
        for path in (stem / "__init__.py", stem.with_name(f"{stem.name}.py")):
            if is_file(path):
                found.setdefault(path, folder)
                break
    return [(folder, path) for path, folder in found.items()]


def is_file(path: Path) -> bool:
    """Whether there is such a file; a path that cannot be one counts as none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def module_of_path(root: Path, path: str) -> tuple[str, str]:
    """The import root and the dotted name of a module's file, which are relative to the project.

    A regular package's import root is the folder above its topmost `__init__.py`; a file without
    one beside it belongs to the folder that the project names for its packages, if any does.
    """
    pure = PurePosixPath(path)
    folder = pure.parent
    while folder.parts and (root / folder / "__init__.py").is_file():
        folder = folder.parent
    for named in sorted(import_roots(root), key=len, reverse=True):
        is_package = (root / named / "__init__.py").is_file()
        if named != "." and folder.is_relative_to(named) and not is_package:
            folder = PurePosixPath(named)
            break
    parts = list(pure.relative_to(folder).with_suffix("").parts)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return str(folder), ".".join(parts)


def modules_beside(root: Path, module: str) -> list[str]:
    """Dotted names of modules near where a name would be, to suggest one of them."""
    names: dict[str, None] = {}
    for folder in import_roots(root):
        base = root / folder
        for path in _python_files(base):
            relative = path.relative_to(base).with_suffix("")
            parts = [part for part in relative.parts if part != "__init__"]
            if parts and all(part.isidentifier() for part in parts):
                names[".".join(parts)] = None
    return [name for name in names if name != module]


def _python_files(base: Path) -> Iterator[Path]:
    stack, seen = [base], 0
    while stack and seen < _MOST_NAMES:
        folder = stack.pop(0)
        try:
            entries = sorted(folder.iterdir())
        except OSError:
            continue
        for path in entries:
            seen += 1
            if path.suffix == ".py" and path.is_file():
                yield path
            elif path.name.isidentifier() and path.is_dir() and not path.is_symlink():
                stack.append(path)


def _from_pyproject(root: Path) -> Iterator[str]:
    try:
        data = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return
    yield from _texts(_get(data, "tool.pytest.ini_options.pythonpath"))
    setuptools = "tool.setuptools"
    package_dir = _get(data, f"{setuptools}.package-dir")
    if isinstance(package_dir, dict):
        for package, folder in package_dir.items():
            yield from _package_dir(package, folder)
    yield from _texts(_get(data, f"{setuptools}.packages.find.where"))
    packages = _get(data, "tool.poetry.packages")
    for one in packages if isinstance(packages, list) else []:
        yield from _texts(_get(one, "from"))
    for key in (
        "tool.hatch.build.sources",
        "tool.hatch.build.targets.wheel.sources",
        "tool.pdm.build.package-dir",
        "tool.maturin.python-source",
        "tool.uv.build-backend.module-root",
    ):
        yield from _texts(_get(data, key))
    for key in (
        "tool.hatch.build.packages",
        "tool.hatch.build.targets.wheel.packages",
        "tool.scikit-build.wheel.packages",
        "tool.flit.module.name",
    ):
        for package in _texts(_get(data, key)):
            yield str(PurePosixPath(package).parent)


def _from_ini(root: Path) -> Iterator[str]:
    for name in ("setup.cfg", "pytest.ini", "tox.ini"):
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string((root / name).read_text("utf-8"))
        except (OSError, ValueError, configparser.Error):
            continue
        for section in ("tool:pytest", "pytest"):
            yield from parser.get(section, "pythonpath", fallback="").split()
        yield from parser.get("options.packages.find", "where", fallback="").split()
        for line in parser.get("options", "package_dir", fallback="").splitlines():
            package, equals, folder = line.partition("=")
            if equals:
                yield from _package_dir(package.strip(), folder.strip())


def _package_dir(package: str, folder: object) -> Iterator[str]:
    """The import root that `package-dir` gives; a package under another name has none."""
    if not isinstance(folder, str):
        return
    if not package:
        yield folder
    elif folder.endswith(package.replace(".", "/")):
        yield folder.removesuffix(package.replace(".", "/")).rstrip("/") or "."


def _get(data: object, key: str) -> object:
    for part in key.split("."):
        if not isinstance(data, dict):
            return None
        data = data.get(part)
    return data


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split() or []
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
