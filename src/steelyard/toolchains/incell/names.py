"""The names that the gate checks, by what they give access to. Used in a cell."""

from __future__ import annotations

import types


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SYSTEM_MODULES = _words(
    "aifc argparse asynchat asyncio asyncore bdb builtins bz2 cgi cgitb chunk code codecs codeop"
    " compileall concurrent configparser cProfile ctypes curses dbm distutils doctest ensurepip"
    " faulthandler fcntl filecmp fileinput ftplib gc getpass gettext glob grp gzip http idlelib"
    " imaplib imp importlib inspect io lib2to3 linecache logging lzma mailbox marshal mimetypes"
    " mmap modulefinder multiprocessing netrc nis nntplib nt ntpath os ossaudiodev pathlib pdb"
    " pickle pickletools pkgutil platform poplib posix posixpath profile pstats pty pwd"
    " readline rlcompleter traceback types"
    " py_compile pyclbr pydoc resource runpy select selectors shelve shutil signal site smtpd"
    " smtplib socket socketserver spwd sqlite3 ssl subprocess sunau sysconfig syslog tarfile"
    " telnetlib tempfile termios test timeit tkinter tokenize trace tracemalloc tty turtle"
    " unittest urllib uu uuid venv wave webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport"
)
"""Modules that access files, the network, processes, the operating system or the interpreter. Many
modules whose names begin with an underscore do so too."""
LEAKED_MODULES = _words(
    "asyncio builtins bltns codecs ctypes gc importlib inspect io linecache multiprocessing os"
    " pathlib pickle posix posixpath shutil socket subprocess sys tempfile tokenize urllib"
)
"""Modules that other modules import, and so have as attributes: `random._os`, `typing.sys`."""
SYSTEM_NAMES = frozenset({"open", "exec", "eval", "compile", "breakpoint", "help"})
SYSTEM_ATTRIBUTES = frozenset(
    {
        "_getframe",
        "_current_frames",
        "meta_path",
        "path_hooks",
        "path_importer_cache",
        "settrace",
        "setprofile",
        "addaudithook",
        "_create_fn",
        "CodeType",
        "FunctionType",
        "buffer",
        "breakpointhook",
        "_Printer__filenames",
        "__filenames",
    }
)
DYNAMIC_NAMES = frozenset(
    {
        "vars",
        "globals",
        "locals",
        "get_type_hints",
        "get_annotations",
        "ForwardRef",
        "_evaluate",
        "_eval_type",
        "evaluate_forward_ref",
        "singledispatch",
        "singledispatchmethod",
        "update_wrapper",
        "wraps",
    }
)
"""Functions that find names by their text, or evaluate the text of annotations."""
GETTERS = frozenset({"getattr", "setattr", "delattr", "attrgetter", "methodcaller"})
"""Functions that take an attribute's name; allowed if the name is a literal."""
FORMATTERS = frozenset({"format", "format_map", "vformat", "get_field"})
"""Methods that follow attribute names in a text."""
INTERNALS = frozenset(
    {
        "mro",
        "gi_frame",
        "gi_code",
        "gi_yieldfrom",
        "cr_frame",
        "cr_code",
        "cr_await",
        "cr_origin",
        "ag_frame",
        "ag_code",
        "ag_await",
        "tb_frame",
        "tb_next",
        "f_back",
        "f_globals",
        "f_locals",
        "f_builtins",
        "f_code",
        "f_trace",
        "f_generator",
        "co_code",
        "co_consts",
    }
)
PLAIN_DUNDERS = frozenset(
    f"__{name}__"
    for name in _words(
        "init new post_init module name qualname doc main debug version annotations cause context"
        " suppress_context len bool int float index"
        " str repr hash iter next reversed contains getitem setitem delitem missing call enter exit"
        " aenter aexit aiter anext await copy deepcopy eq ne lt le gt ge neg pos abs invert round"
        " trunc floor ceil add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or"
        " xor radd rsub rmul rmatmul rtruediv rfloordiv rmod rdivmod rpow rlshift rrshift rand ror"
        " rxor iadd isub imul imatmul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor"
    )
)
"""Names between double underscores that give access to nothing."""

_KINDS = (
    object,
    type,
    types.FunctionType,
    types.MethodType,
    types.ModuleType,
    types.CodeType,
    types.BuiltinFunctionType,
    BaseException,
)
HIDDEN = (
    frozenset(
        {
            name
            for kind in _KINDS
            for name in (*dir(kind), *dir(type(kind)))
            if name.startswith("__")
        }
        | {
            f"__{name}__"
            for name in (
                "builtins",
                "import",
                "build_class",
                "loader",
                "spec",
                "file",
                "path",
                "match_args",
                "mro",
                "bases",
                "base",
                "subclasses",
                "wrapped",
                "stdin",
                "stdout",
                "stderr",
            )
        }
    )
    - PLAIN_DUNDERS
    | INTERNALS
)
"""Texts whose only use is an attribute lookup."""
MATCHED_WHOLE = _words("bool bytearray bytes dict float frozenset int list set str tuple")
"""Built-in classes of which a pattern such as `int(n)` reads no attribute."""
