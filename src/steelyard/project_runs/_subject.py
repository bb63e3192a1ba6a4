"""The function to compare, found in its project by its name, without importing anything."""

import ast
import difflib
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from steelyard._printable import printable
from steelyard.errors import SubjectError
from steelyard.project_runs._bindings import Bound, bindings
from steelyard.project_runs._definitions import (
    Definition,
    NotDefinedError,
    find_definition,
    span,
)
from steelyard.project_runs._layout import (
    import_roots,
    is_file,
    locate,
    module_of_path,
    modules_beside,
)
from steelyard.project_runs._parsing import MOST_CHARS, Source, UnparsableError, parse
from steelyard.project_runs._signature import (
    Binding,
    FunctionKind,
    binding_of,
    decorator_texts,
    kind_of,
    signature_of,
)

_MOST_HOPS = 8
_MOST_NAME = 1000


@dataclass(frozen=True, slots=True)
class Subject:
    """A function as its project defines it."""

    root: Path
    """The project's folder, absolute."""
    module: str
    """Dotted."""
    path: str
    """The module's file, relative to the root."""
    import_root: str
    """The folder that must be on `sys.path`, relative to the root."""
    qualname: str
    """A property's getter goes by the property's name, its setter by `name.setter`."""
    kind: FunctionKind
    binding: Binding
    decorators: tuple[str, ...]
    """Their texts from the top, without `@`."""
    signature: str
    """The parameters without annotations, in one canonical text."""
    source: str
    """The module's text; line ends as they are in the file, no byte order mark."""
    encoding: str
    """Of the file, as `bytes.decode` takes it; `utf-8-sig` writes the byte order mark."""
    first_line: int
    """Of the definition, from 1, its decorators included: its code's `co_firstlineno`."""
    last_line: int
    docstring: str = ""
    notes: tuple[str, ...] = ()
    """What else the name may stand for, a line each."""

    @property
    def name(self) -> str:
        """`pkg.module:qualified.name`."""
        return f"{self.module}:{self.qualname}"

    @property
    def is_init(self) -> bool:
        """Whether it is an `__init__`: its work is the state of its object."""
        return self.binding == "method" and self.qualname.endswith(".__init__")


def find_subject(root: Path, name: str) -> Subject:
    """The function of that name.

    Args:
        root: The project's folder.
        name: `pkg.module:qualified.name`, or `path/to/module.py:qualified.name` with a path
            relative to the root. The setter of a property is `Class.name.setter`.

    Raises:
        SubjectError: where there is no such folder, module or function, where the module cannot
            be parsed, or where the name stands for something that is not defined there by `def`.
    """
    try:
        root = root.resolve()
        is_folder = root.is_dir()
    except (OSError, ValueError, RuntimeError):
        is_folder = False
    if not is_folder:
        raise SubjectError(f"{_clean(str(root))} is not a folder; give the project's root")
    if len(name) > _MOST_NAME:
        raise SubjectError(
            f"the function's name has {len(name)} characters; write at most {_MOST_NAME}"
        )
    place, colon, qualname = name.rpartition(":")
    place, qualname = place.strip(), qualname.strip()
    if not colon or not place or not qualname:
        raise SubjectError(f"'{_clean(name)}' is not the name of a function; {_spelling(name)}")
    import_root, module, file = _find_module(root, place)
    path = file.relative_to(root).as_posix()
    text, encoding = read_text(file, path)
    try:
        source = parse(text)
    except UnparsableError as error:
        line = f":{error.line}" if error.line else ""
        raise SubjectError(f"{path}{line}: {_clean(str(error))}; fix the module") from error
    notes = _other_files(root, module, file) if not _is_path(place) else ()
    try:
        definition = find_definition(source, qualname)
        signature = signature_of(definition.node.args)
    except NotDefinedError as error:
        hint = _elsewhere(root, module, path, qualname, source, error.bound)
        text = _clean(str(error)) + hint
        if ";" not in text:
            text += "; name a function or method that it defines with def"
        raise SubjectError(f"{path}: {text}") from error
    except ValueError as error:
        raise SubjectError(f"{path}: '{_clean(qualname)}' has {error}; simplify it") from error
    return _subject(root, module, path, import_root, source, encoding, definition, signature, notes)


def read_text(file: Path, shown: str) -> tuple[str, str]:
    """A Python file's text, line ends kept, and its encoding.

    Raises:
        SubjectError: where it cannot be read or decoded.
    """
    try:
        if file.stat().st_size > 4 * MOST_CHARS:
            raise SubjectError(f"{shown} is too large to be parsed; split the module")
        data = file.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding), encoding
    except OSError as error:
        raise SubjectError(f"{shown} cannot be read: {error.strerror}; make it readable") from error
    except (SyntaxError, UnicodeDecodeError) as error:
        raise SubjectError(f"{shown}: {_clean(str(error))}; fix its encoding") from error


def encoding_of(text: str) -> str:
    """The encoding that a module's text declares for itself; UTF-8 where that is unknown."""
    try:
        head = io.BytesIO(text[:1000].encode("utf-8", "replace"))
        return tokenize.detect_encoding(head.readline)[0]
    except SyntaxError:
        return "utf-8"


def _subject(
    root: Path,
    module: str,
    path: str,
    import_root: str,
    source: Source,
    encoding: str,
    definition: Definition,
    signature: str,
    notes: tuple[str, ...],
) -> Subject:
    node = definition.node
    first, last = span(node, source.lines)
    return Subject(
        root=root,
        module=module,
        path=path,
        import_root=import_root,
        qualname=definition.qualname,
        kind=kind_of(node),
        binding=binding_of(node, in_class=bool(definition.classes)),
        decorators=decorator_texts(node),
        signature=signature,
        source=source.text,
        encoding=encoding,
        first_line=first,
        last_line=last,
        docstring=ast.get_docstring(node, clean=False) or "",
        notes=(*notes, *definition.notes),
    )


def _is_path(place: str) -> bool:
    return "/" in place or place.endswith(".py")


def _find_module(root: Path, place: str) -> tuple[str, str, Path]:
    """Import root, dotted name and file."""
    if "\0" in place:
        raise SubjectError(f"'{_clean(place)}' is not a module; give pkg.module:function")
    if _is_path(place):
        return find_file(root, place)
    if not all(part.isidentifier() for part in place.split(".")):
        raise SubjectError(
            f"'{_clean(place)}' is not a dotted module name; "
            "give pkg.module:function or path/to/module.py:function"
        )
    found = locate(root, place)
    if found:
        return found[0][0], place, found[0][1]
    looked = ", ".join(import_roots(root))
    advice = _close_modules(root, place)
    raise SubjectError(f"no module '{place}' in {root} (searched {looked}); {advice}")


def find_file(root: Path, place: str) -> tuple[str, str, Path]:
    """The import root, the dotted name and the file of a module.

    Args:
        root: The project's folder, absolute.
        place: The file, relative to it.

    Raises:
        SubjectError: where there is no such file, or it cannot be imported by its name.
    """
    pure = PurePosixPath(place)
    file = root / pure
    try:
        within = file.resolve().is_relative_to(root)
    except (OSError, ValueError, RuntimeError):
        within = True
    if not within or ".." in pure.parts:
        raise SubjectError(f"'{_clean(place)}' is not in {root}; give a path within the project")
    if not is_file(file):
        raise SubjectError(f"no file '{_clean(place)}' in {root}; {_close_modules(root, place)}")
    relative = file.relative_to(root).as_posix()
    if file.suffix != ".py":
        raise SubjectError(f"'{_clean(place)}' is not a Python file; give a .py file")
    import_root, module = module_of_path(root, relative)
    if not all(part.isidentifier() for part in module.split(".")):
        raise SubjectError(f"'{_clean(place)}' cannot be imported under that name; rename the file")
    return import_root, module, file


def _close_modules(root: Path, place: str) -> str:
    dotted = place.removesuffix(".py").replace("/", ".")
    names = modules_beside(root, dotted)
    last = dotted.rpartition(".")[2]
    same = [name for name in names if name.rpartition(".")[2] == last]
    close = list(dict.fromkeys([*same, *difflib.get_close_matches(dotted, names, n=3)]))[:3]
    if close:
        return f"did you mean {' or '.join(close)}?"
    if (root / "__init__.py").is_file() and dotted.partition(".")[0] == root.name:
        return "the root is itself a package: give its parent folder"
    return "give the project's root, and the module as it is imported"


def _other_files(root: Path, module: str, file: Path) -> tuple[str, ...]:
    others = [path for _, path in locate(root, module) if path != file]
    return tuple(
        f"'{module}' may also be {path.relative_to(root).as_posix()}; "
        f"{file.relative_to(root).as_posix()} is used"
        for path in others
    )


def _elsewhere(
    root: Path,
    module: str,
    path: str,
    qualname: str,
    source: Source,
    bound: Bound | None,
) -> str:
    """Where to find what the module only imports; empty where it is not imported."""
    package = module if path.endswith("__init__.py") else module.rpartition(".")[0]
    first, _, rest = qualname.partition(".")
    if bound is None:
        origins = [
            one.origin.replace("*", first)
            for one in bindings(source.body)
            if one.how == "import" and one.name == "*"
        ]
    else:
        origins = [bound.origin] if bound.how == "import" else []
    for origin in origins:
        found = _follow(root, package, origin, rest)
        if found:
            return f"; name {found}"
    if bound is not None and bound.how == "import":
        return ", which the project does not define with def; name a function of the project"
    return ""


def _follow(root: Path, package: str, origin: str, rest: str) -> str:
    """`module:qualname` of the definition behind an import; empty where it is not found."""
    for _ in range(_MOST_HOPS):
        target, colon, name = origin.partition(":")
        if not colon:
            return ""
        module = _absolute(target, package)
        found = locate(root, module)
        if not found:
            return ""
        path = found[0][1]
        qualname = f"{name}.{rest}" if rest else name
        try:
            find_definition(parse(read_text(path, module)[0]), qualname)
        except NotDefinedError as error:
            if error.bound is None or error.bound.how != "import":
                return ""
            origin = error.bound.origin
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        except (UnparsableError, SubjectError):
            return ""
        else:
            return f"{module}:{qualname}"
    return ""


def _absolute(target: str, package: str) -> str:
    name = target.lstrip(".")
    level = len(target) - len(name)
    if not level:
        return name
    parts = package.split(".") if package else []
    kept = parts[: len(parts) - level + 1]
    return ".".join([*kept, name] if name else kept)


def _spelling(name: str) -> str:
    module, dot, function = name.strip(": ").rpartition(".")
    if dot and function.isidentifier():
        return f"write pkg.module:function, for example {_clean(module)}:{function}"
    return "write pkg.module:function"


def _clean(text: str) -> str:
    return printable(text if len(text) <= 400 else text[:397] + "...")
