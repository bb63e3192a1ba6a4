"""What a candidate's text mentions that no faster version needs: the interpreter, the harness.

The text is read and never run. No list of names can be complete, here or in the judge's gate
(`toolchains/incell/gate.py`): what passes still runs in a cell, and what it does there is compared.
This tells a reviewer early, with a line. The gate rejects what it does not know; this leans to
silence, because an ordinary way to make a program faster must never be named here.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from steelyard._python_trees import python_tree
from steelyard.comparing._texts import texts_written

_FACILITIES = {
    "the frames of its callers": (
        "sys._getframe sys._getframemodulename sys._current_frames sys._current_exceptions"
        " inspect.stack inspect.currentframe inspect.getouterframes inspect.getinnerframes"
        " inspect.getframeinfo inspect.trace inspect.getclosurevars traceback.extract_stack"
        " traceback.walk_stack traceback.walk_tb traceback.format_stack logging.currentframe"
        " .f_back .f_locals .f_globals .f_builtins .f_code .f_trace .f_lineno .tb_frame .tb_next"
        " .tb_lasti .gi_frame .gi_code .cr_frame .cr_code .ag_frame .ag_code ._getframe"
        " ._current_frames"
    ),
    "the objects of the whole process": (
        "gc.get_objects gc.get_referrers gc.get_referents gc.callbacks gc.get_stats"
        " .get_referrers .get_referents .__subclasses__"
    ),
    "the garbage collector": (
        "gc.disable gc.enable gc.freeze gc.unfreeze gc.set_threshold gc.set_debug gc.isenabled"
        " gc.get_threshold gc.get_count gc.get_freeze_count"
    ),
    "the interpreter's tracing": (
        "sys.settrace sys.setprofile sys.gettrace sys.getprofile sys.monitoring sys.addaudithook"
        " sys.activate_stack_trampoline sys.call_tracing threading.settrace threading.setprofile"
        " threading.settrace_all_threads builtins.breakpoint bdb cProfile profile pdb trace"
        " tracemalloc .settrace .setprofile"
    ),
    "the module table": (
        "sys.modules sys.meta_path sys.path_hooks sys.path_importer_cache builtins.__import__"
        " builtins.__loader__ builtins.__spec__ importlib.reload importlib.invalidate_caches"
        " importlib.machinery importlib.util importlib.abc imp runpy pkgutil _imp .__import__"
    ),
    "the command line": "sys.argv sys.orig_argv",
    "the environment": "os.environ os.environb os.getenv os.getenvb os.putenv os.unsetenv",
    "processes and signals": (
        "os.kill os.killpg os.abort os._exit os.fork os.forkpty os.register_at_fork os.system"
        " os.popen os.getppid os.pidfd_open os.execl os.execle os.execlp os.execlpe os.execv"
        " os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp os.spawnl os.spawnle"
        " os.spawnlp os.spawnv os.spawnve os.spawnvp os.setsid os.setpgid os.waitpid os.wait"
        " os.wait4 signal _signal faulthandler"
    ),
    "scheduling and limits": (
        "sys.setswitchinterval os.sched_setaffinity os.nice os.setpriority os.sched_setscheduler"
        " resource"
    ),
    "file descriptors of others": (
        "os.dup os.dup2 os.fdopen os.closerange os.write os.pwrite os.writev os.pwritev"
        " os.ftruncate os.lseek os.sendfile os.splice os.copy_file_range"
    ),
    "raw memory": "ctypes _ctypes cffi _cffi_backend",
    "the harness": "pytest _pytest pluggy steelyard unittest doctest .pytest ._pytest .steelyard",
    "exit handlers": "atexit",
    "the program that runs it": "__main__",
    "code built from text": "builtins.exec builtins.eval builtins.compile code codeop",
    "the internals of functions": (
        "types.CodeType .__builtins__ .__globals__ .__closure__"
        " .cell_contents .co_code .co_consts .co_names"
    ),
}
"""By name: of a module, of what it holds, or, with a dot in front, of any attribute."""
_OF_NAME = {name: what for what, names in _FACILITIES.items() for name in names.split()}
_STORED = frozenset({"__code__", "__defaults__", "__kwdefaults__"})
_IN_TEXT = {
    "PYTEST_": "the harness",
    "STEELYARD_": "the harness",
    "!######": "the harness (its markers)",
    "######!": "the harness (its markers)",
}
_AT_START = {"/proc/": "the system's process files"}
_LEAKED = frozenset({"builtins", "gc", "inspect", "os", "sys"})
"""Modules that others hold: `random._os`."""
_IMPORTERS = frozenset({"__import__", "import_module"})
_GETTERS = frozenset({"getattr", "setattr", "delattr", "hasattr"})


def screen(original_module: str, candidate_module: str) -> tuple[str, ...]:
    """What the candidate's text mentions, and the original's does not.

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
    """Each facility with the first line that mentions it."""
    found: dict[str, int] = {}
    try:
        for node, what in _Mentions(python_tree(text)).found():
            line = getattr(node, "lineno", 1)
            found[what] = min(line, found.get(what, line))
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return {}
    return found


class _Mentions:
    """The names and texts of one module, each name in full as far as imports tell."""

    def __init__(self, tree: ast.Module) -> None:
        self._nodes = list(ast.walk(tree))
        self._texts = texts_written(tree)
        # What a definition binds is its own; what an import or a copy of one binds is a module's.
        self._paths = {node.name: "" for node in tree.body if hasattr(node, "name")}
        for node in self._nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    self._paths[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    path = "" if node.level else _full(f"{node.module}.{alias.name}")
                    self._paths[alias.asname or alias.name] = path
        self._own = {node.arg for node in self._nodes if isinstance(node, ast.arg)}
        for node in self._nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self._own.add(node.id)
            if isinstance(node, ast.Assign) and (path := self._path(node.value)):
                names = [each.id for each in node.targets if isinstance(each, ast.Name)]
                self._paths |= dict.fromkeys(names, path)

    def found(self) -> Iterator[tuple[ast.AST, str]]:
        """Each mention with the words for it."""
        for node in self._nodes:
            for path in self._mentioned(node):
                parts = path.split(".")
                for count in range(1, len(parts) + 1):
                    name = ".".join(parts[:count])
                    if what := _OF_NAME.get(name) or _OF_NAME.get(f".{parts[count - 1]}"):
                        yield node, f"{what} ({name.lstrip('.')})"
            yield from self._stored(node)
        for node, text in self._texts.items():
            for piece, what in _IN_TEXT.items():
                if piece in text:
                    yield node, f"{what} ({piece}...)"
            for start, what in _AT_START.items():
                if text.startswith(start):
                    yield node, f"{what} ({start})"

    def _mentioned(self, node: ast.AST) -> Iterator[str]:
        """The names in full that a node mentions; one of an unknown owner begins with a dot."""
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (_full(f"{module}.{alias.name}") for alias in names)
                if any(alias.name == "*" for alias in names):
                    yield from (name for name in _OF_NAME if name.startswith(f"{module}."))
            case ast.Attribute() | ast.Name(ctx=ast.Load()):
                yield self._path(node) or f".{getattr(node, 'attr', '') or getattr(node, 'id', '')}"
            case ast.MatchClass(kwd_attrs=names):
                yield from (f".{name}" for name in names)
            case ast.keyword(arg=str(name)):
                yield f".{name}"
            case ast.Call(args=[of, text, *_]) if _called(node) in _GETTERS:
                yield f"{self._path(of)}.{self._texts.get(text, '')}"
            case ast.Call(args=[text, *_]) if _called(node) in _IMPORTERS:
                yield self._texts.get(text, "")
        if node in self._texts:
            yield f".{self._texts[node]}"

    def _stored(self, node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
        match node:
            case ast.Attribute(value=of, attr=name, ctx=ast.Store() | ast.Del()):
                pass
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[of, text, *_]):
                name = self._texts.get(text, "")
            case _:
                return
        if name in _STORED:
            yield node, f"the internals of functions ({name})"
        if self._is_imported(of) and (path := self._path(of)):
            yield node, f"attributes that others read from {path} ({path}.{name or '...'})"

    def _is_imported(self, node: ast.AST | None) -> bool:
        """Return if an expression starts with an import that no other name hides."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._paths.keys() - self._own

    def _path(self, node: ast.AST | None) -> str:
        """Return the full name of what belongs to an imported module or to Python; else nothing."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        base = ""
        if isinstance(node, ast.Name):
            default = f"builtins.{node.id}" if hasattr(builtins, node.id) else ""
            base = self._paths.get(node.id, default)
        elif isinstance(node, ast.Call) and node.args and _called(node) in _IMPORTERS:
            base = self._texts.get(node.args[0], "")
        return base and _full(".".join([base, *reversed(attributes)]))


def _full(path: str) -> str:
    """Return a name without the module that another module holds it in: `random._os.kill`."""
    parts = path.split(".")
    for index in reversed(range(len(parts))):
        if (name := parts[index].strip("_").replace("posix", "os")) in _LEAKED:
            return ".".join([name, *parts[index + 1 :]])
    return path


def _called(node: ast.Call) -> str:
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")
