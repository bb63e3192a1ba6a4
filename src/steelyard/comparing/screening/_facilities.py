"""The facilities that a screening knows, each with the words for it."""

from __future__ import annotations


def _named(what: str, names: str) -> dict[str, str]:
    return {name: f"{what} ({name})" for name in names.split()}


def _of(module: str, what: str, names: str) -> dict[str, str]:
    return {name: f"{what} ({module}.{name})" for name in names.split()}


_FRAMES = "the frames of its callers"
_OBJECTS = "the objects of the whole process"
_TRACING = "the interpreter's tracing"
_ENVIRONMENT = "the environment"
_PROCESSES = "processes and signals"
_IMPORTS = "the module table"
_MEMORY = "raw memory"
_HARNESS = "the harness"
_PROGRAMS = "code built from text"
_INTERNALS = "the internals of functions"

MODULES: dict[str, str] = {
    **_named(_MEMORY, "ctypes _ctypes cffi _cffi_backend"),
    **_named(_HARNESS, "pytest _pytest pluggy steelyard unittest doctest"),
    **_named("exit handlers", "atexit"),
    **_named(_PROCESSES, "signal _signal faulthandler"),
    **_named(_TRACING, "bdb cProfile profile pdb trace tracemalloc"),
    **_named("the process's limits", "resource"),
    **_named(_IMPORTS, "imp importlib.machinery importlib.util importlib.abc runpy pkgutil"),
    **_named(_PROGRAMS, "code codeop"),
    **_named("the module of built-in functions", "__builtin__ _imp"),
    "__main__": "the program that runs it (__main__)",
}
"""Modules that are reached for by an import."""

OF_MODULES: dict[str, dict[str, str]] = {
    "sys": {
        **_of("sys", _FRAMES, "_getframe _getframemodulename _current_frames"),
        **_of("sys", _FRAMES, "_current_exceptions"),
        **_of("sys", _TRACING, "settrace setprofile gettrace getprofile monitoring"),
        **_of("sys", _TRACING, "addaudithook activate_stack_trampoline call_tracing"),
        **_of("sys", _IMPORTS, "modules meta_path path_hooks path_importer_cache"),
        **_of("sys", "the command line", "argv orig_argv"),
        **_of("sys", "thread scheduling", "setswitchinterval"),
    },
    "os": {
        **_of("os", _ENVIRONMENT, "environ environb getenv getenvb putenv unsetenv"),
        **_of(
            "os",
            _PROCESSES,
            "kill killpg abort _exit fork forkpty register_at_fork system popen getppid pidfd_open"
            " execl execle execlp execlpe execv execve execvp execvpe posix_spawn posix_spawnp"
            " spawnl spawnle spawnlp spawnv spawnve spawnvp setsid setpgid waitpid wait wait4",
        ),
        **_of("os", "process scheduling", "sched_setaffinity nice setpriority"),
        **_of("os", "process scheduling", "sched_setscheduler"),
        **_of(
            "os",
            "file descriptors of others",
            "dup dup2 fdopen closerange write pwrite writev pwritev",
        ),
        **_of(
            "os", "file descriptors of others", "ftruncate lseek sendfile splice copy_file_range"
        ),
    },
    "gc": {
        **_of("gc", _OBJECTS, "get_objects get_referrers get_referents callbacks get_stats"),
        **_of("gc", "the garbage collector", "disable enable freeze unfreeze set_threshold"),
        **_of("gc", "the garbage collector", "set_debug isenabled get_threshold get_count"),
        **_of("gc", "the garbage collector", "get_freeze_count"),
    },
    "inspect": _of(
        "inspect",
        _FRAMES,
        "stack currentframe getouterframes getinnerframes getframeinfo trace getclosurevars"
        " getargvalues getgeneratorlocals getcoroutinelocals",
    ),
    "traceback": _of(
        "traceback",
        _FRAMES,
        "extract_stack walk_stack walk_tb format_stack print_stack StackSummary",
    ),
    "threading": _of("threading", _TRACING, "settrace setprofile settrace_all_threads"),
    "types": _of("types", "the code of functions", "CodeType"),
    "importlib": _of("importlib", _IMPORTS, "reload invalidate_caches"),
    "logging": _of("logging", _FRAMES, "currentframe"),
    "builtins": _of("builtins", _PROGRAMS, "exec eval compile"),
}
OF_MODULES["posix"] = OF_MODULES["os"]
"""What is reached for in a module that is otherwise ordinary."""

ANYWHERE: dict[str, str] = {
    **_named(
        _FRAMES,
        "f_back f_locals f_globals f_builtins f_code f_trace f_lineno tb_frame tb_next tb_lasti"
        " gi_frame gi_code cr_frame cr_code ag_frame ag_code _getframe _current_frames",
    ),
    **_named(_OBJECTS, "get_referrers get_referents __subclasses__"),
    **_named(_TRACING, "settrace setprofile"),
    **_named(
        _INTERNALS, "__globals__ __builtins__ __closure__ cell_contents co_code co_consts co_names"
    ),
}
"""Attributes that are reached for whatever they are an attribute of."""

STORED: dict[str, str] = _named(_INTERNALS, "__code__ __defaults__ __kwdefaults__")
"""Attributes that may be read, but not set."""

NAMES: dict[str, str] = {
    **_named(_INTERNALS, "__builtins__ __loader__ __spec__"),
    **_named(_PROGRAMS, "exec eval compile"),
    **_named(_TRACING, "breakpoint"),
    **_named(_IMPORTS, "__import__"),
}
"""Names that mean the interpreter's own, unless the module has one of its own."""

TEXTS: dict[str, str] = {
    "PYTEST_": f"{_HARNESS} (PYTEST_...)",
    "STEELYARD_": f"{_HARNESS} (STEELYARD_...)",
    "!######": f"{_HARNESS} (its markers)",
    "######!": f"{_HARNESS} (its markers)",
    "__builtins__": f"{_INTERNALS} (__builtins__)",
    "__globals__": f"{_INTERNALS} (__globals__)",
    "__subclasses__": f"{_OBJECTS} (__subclasses__)",
    "__import__": f"{_IMPORTS} (__import__)",
}
"""Pieces of text that are written for one purpose only."""

TEXTS_STARTING: dict[str, str] = {"/proc/": "the system's process files (/proc)"}
"""The same, where a text starts with them."""

TEXTS_WHOLE: dict[str, str] = {
    **{name: MODULES[name] for name in ("pytest", "_pytest", "steelyard")},
    **{
        name: ANYWHERE[name]
        for name in (
            "f_back",
            "f_locals",
            "f_globals",
            "tb_frame",
            "gi_frame",
            "cr_frame",
            "ag_frame",
            "_getframe",
            "_current_frames",
            "get_referrers",
            "get_referents",
            "settrace",
            "setprofile",
            "cell_contents",
            "__closure__",
        )
    },
    "__code__": STORED["__code__"],
}
"""Texts that are written for one purpose only, where nothing else stands in them."""
