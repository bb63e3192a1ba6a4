r"""Turn source text into something that a cell can run, with what the compiler said of it.

toolchain = find_toolchain("cpp")
compilation = toolchain.compile(source, pool, cache=CompileCache())
if compilation.artifact:
    execution = pool.run(compilation.artifact.command(stdin=b"5\n", limits=Limits()))
"""

from assayer.toolchains._artifact import Artifact, Compilation
from assayer.toolchains._cache import CompileCache, EntryCache
from assayer.toolchains._detect import LanguageStatus, languages
from assayer.toolchains._find import find_toolchain
from assayer.toolchains._harness import Harness, text_of_modules
from assayer.toolchains._source import read_source, source_bytes
from assayer.toolchains._table import language_of
from assayer.toolchains._toolchain import MAX_SOURCE_BYTES, Toolchain

__all__ = [
    "MAX_SOURCE_BYTES",
    "Artifact",
    "Compilation",
    "CompileCache",
    "EntryCache",
    "Harness",
    "LanguageStatus",
    "Toolchain",
    "find_toolchain",
    "language_of",
    "languages",
    "read_source",
    "source_bytes",
    "text_of_modules",
]
