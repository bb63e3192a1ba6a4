"""A precompiled `<bits/stdc++.h>`, made once per compiler and flags, used if it is safe.

It must change only the time that a compile takes:

- GCC looks for `bits/stdc++.h.gch` next to a stub that includes the real header. It checks that
  flags and macros defined so far agree; else it reads the stub.
- Clang takes a precompiled header only before the first line, so it is used only if the
  source's first directive includes the header; Clang then only reads the header twice.
- A pragma before the include turns both off: the header would undo what the pragma sets.
"""

import hashlib
from dataclasses import replace

import re2

from steelyard.sandbox import CellPool, Command, Mount, View
from steelyard.schemas import StopReason
from steelyard.toolchains._cache import CompileCache
from steelyard.toolchains._detect import Tool, tool_env
from steelyard.toolchains._prepared import (
    Prepared,
    locked_folder,
    place_in_cell,
    write_for_cells,
)
from steelyard.toolchains._table import CompilerRow, LanguageRow

_NAME = b"bits/stdc++.h"
_FILE_MIB = 512
_MEMORY_MIB = 2_048
_FIRST_DIRECTIVE = re2.compile(
    rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*+[^*/])*\*+/)*#[ \t]*include[ \t]*<bits/stdc\+\+\.h>"
)
_SPLICE = re2.compile(rb"(?:\\|\?\?/)[ \t\r]*\n")
_STUBS = {
    "gcc": ("bits/stdc++.h", "#include_next <bits/stdc++.h>\n"),
    "clang": ("first.hpp", "#include <bits/stdc++.h>\n"),
}
_PRECOMPILED = {"gcc": "bits/stdc++.h.gch", "clang": "first.pch"}
_unusable: set[str] = set()
"""The keys of headers that did not precompile in this process, and are not tried again."""


def is_header_usable(kind: str, source: bytes) -> bool:
    """Return True if precompiling `<bits/stdc++.h>` does not change the source's meaning.

    Args:
        kind: `gcc` or `clang`.
        source: The source text.
    """
    at = source.find(_NAME)
    if at < 0:
        return False
    before = source[:at]
    if _SPLICE.search(before) or b"ragma" in before:
        return False
    return kind == "gcc" or _FIRST_DIRECTIVE.match(source[: at + len(_NAME) + 1]) is not None


def precompiled_header(
    row: LanguageRow,
    compiler: CompilerRow,
    tool: Tool,
    flags: tuple[str, ...],
    view: View,
    pool: CellPool,
    cache: CompileCache,
) -> Prepared | None:
    """Return the header for a compiler and its flags, made now if the cache has none.

    Args:
        row: The language.
        compiler: One of its compilers, with `header` set.
        tool: The compiler as it was found.
        flags: The flags that it will be called with.
        view: What a compile sees.
        pool: The header is compiled in one of its cells.
        cache: The cache that keeps it.

    Returns:
        None if it cannot be made (unusual flags, a full disk); then compile without it.
    """
    described = "\0".join((tool.identity, compiler.header, row.digest, *flags))
    key = hashlib.sha256(described.encode()).hexdigest()
    if key in _unusable:
        return None
    folder = cache.headers / key
    shown_at = place_in_cell(pool, folder)
    if shown_at is None:
        return None
    view = replace(view, mounts=(*view.mounts, Mount(str(folder), shown_at)))
    stub, text = _STUBS[compiler.header]
    target = folder / _PRECOMPILED[compiler.header]
    try:
        with locked_folder(folder):
            if not target.exists():
                cache.account(_FILE_MIB << 18)  # a quarter of the most that it may take
                write_for_cells(folder / stub, text.encode())
                made = _precompile(row, compiler, tool, flags, view, pool, shown_at)
                if made is None:
                    _unusable.add(key)
                    return None
                write_for_cells(target, made)
    except OSError:
        _unusable.add(key)
        return None
    if compiler.header == "gcc":
        options = ("-isystem", shown_at)
    else:
        options = ("-include-pch", f"{shown_at}/{_PRECOMPILED[compiler.header]}")
    return Prepared(shown_at, view, options=options)


def _precompile(
    row: LanguageRow,
    compiler: CompilerRow,
    tool: Tool,
    flags: tuple[str, ...],
    view: View,
    pool: CellPool,
    shown_at: str,
) -> bytes | None:
    if compiler.header == "gcc":
        given, files = "first.hpp", {"first.hpp": _STUBS["clang"][1].encode()}
    else:  # Clang records the path of the text, and checks later that the text is still there
        given, files = f"{shown_at}/first.hpp", {}
    limits = row.compile_limits.as_limits().replace(file_mib=_FILE_MIB, memory_mib=_MEMORY_MIB)
    execution = pool.run(
        Command(
            # Without -c, a flag for the linker would have the header linked, which fails.
            argv=(
                tool.executable,
                *compiler.macros,
                *flags,
                "-c",
                "-x",
                "c++-header",
                given,
                "-o",
                "header.out",
            ),
            limits=limits,
            env=tool_env(compiler),
            files=files,
            collect=("header.out",),
            view=view,
        )
    )
    if execution.stop is not StopReason.EXITED or execution.exit_code != 0:
        return None
    return execution.files.get("header.out")
