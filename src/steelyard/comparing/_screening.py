"""Names in a candidate's text by which it may act where no comparison sees it.

What a candidate does to results, data, files and the interpreter's state is compared as it runs. A
signal that fails, a process that ends or a clock that is replaced after it was read leaves nothing
to compare, so its name is looked for in the text, which is read and never run. No list of names can
be complete, here or in the judge's gate (`toolchains/incell/gate.py`), which rejects what it does
not know; an ordinary way to make a program faster must never be named here.
"""

import ast
from collections.abc import Iterator

from steelyard._python_trees import python_tree

_FACILITIES = {
    "the garbage collector": (
        "gc.disable gc.enable gc.freeze gc.unfreeze gc.set_threshold gc.set_debug gc.callbacks"
    ),
    "processes and signals": (
        "os.kill os.killpg os.abort os._exit os.fork os.forkpty os.register_at_fork os.system"
        " os.popen os.getppid os.pidfd_open os.execl os.execle os.execlp os.execlpe os.execv"
        " os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp os.spawnl os.spawnle"
        " os.spawnlp os.spawnv os.spawnve os.spawnvp os.setsid os.setpgid os.waitpid os.wait"
        " os.wait4 signal faulthandler"
    ),
    "scheduling and limits": (
        "sys.setswitchinterval os.sched_setaffinity os.nice os.setpriority os.sched_setscheduler"
        " resource"
    ),
}
"""By the full names of modules and of what they hold."""
_OF_NAME = {name: what for what, names in _FACILITIES.items() for name in names.split()}
_LEAKED = frozenset({"builtins", "gc", "os", "sys"})
"""Modules that others hold: `random._os`."""


def screen(original_module: str, candidate_module: str) -> tuple[str, ...]:
    """Return what the candidate's text mentions, and the original's does not.

    Args:
        original_module: The text of the whole module, with the original.
        candidate_module: The same with the candidate.

    Returns:
        A sentence for each facility, with the line of the candidate's module that first mentions
        it, in the order of the lines. A text that cannot be read mentions nothing.
    """
    known = _facilities(original_module)
    found = _facilities(candidate_module)
    new = sorted((line, what) for what, line in found.items() if what not in known)
    return tuple(f"Line {line} uses {what}." for line, what in new)


def _facilities(text: str) -> dict[str, int]:
    """Return each facility with the first line that mentions it."""
    found: dict[str, int] = {}
    try:
        for line, what in _Mentions(python_tree(text)).found():
            found[what] = min(line, found.get(what, line))
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return {}
    return found


class _Mentions:
    """The names of one module, each in full as far as imports tell."""

    def __init__(self, tree: ast.Module) -> None:
        self._nodes = list(ast.walk(tree))
        self._paths: dict[str, str] = {}
        own: set[str] = set()
        for node in self._nodes:
            match node:
                case ast.Import(names=names):
                    for alias in names:
                        top = alias.name.partition(".")[0]
                        self._paths[alias.asname or top] = alias.name if alias.asname else top
                case ast.ImportFrom(module=str(module), names=names, level=0):
                    for alias in names:
                        self._paths[alias.asname or alias.name] = f"{module}.{alias.name}"
                case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    own.add(name)
        self._paths = {name: path for name, path in self._paths.items() if name not in own}

    def found(self) -> Iterator[tuple[int, str]]:
        """Yield the line of each mention with the words for it."""
        for node in self._nodes:
            match node:
                case ast.Attribute(value=of, attr=name, ctx=ast.Store() | ast.Del()):
                    if path := self._path(of):
                        yield (
                            node.lineno,
                            f"attributes that others read from {path} ({path}.{name})",
                        )
                case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[of, *_]):
                    if path := self._path(of):
                        yield node.lineno, f"attributes that others read from {path} (by setattr)"
                case ast.Attribute() | ast.Name():
                    parts = self._path(node).split(".")
                    for count in range(1, len(parts) + 1):
                        name = ".".join(parts[:count])
                        if name in _OF_NAME:
                            yield node.lineno, f"{_OF_NAME[name]} ({name})"

    def _path(self, node: ast.expr) -> str:
        """Return the full name of what belongs to an imported module; else nothing.

        A module that another module holds goes by its own name: `random._os.kill` is `os.kill`.
        """
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        base = self._paths.get(node.id, "") if isinstance(node, ast.Name) else ""
        parts = [*base.split("."), *attributes] if base else []
        for index in reversed(range(len(parts))):
            if (name := parts[index].strip("_").replace("posix", "os")) in _LEAKED:
                return ".".join([name, *parts[index + 1 :]])
        return ".".join(parts)
