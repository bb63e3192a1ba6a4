r"""Turn source text into something that a cell can run, with the compiler's diagnostics.

toolchain = find_toolchain("cpp")
compilation = toolchain.compile(source, pool, cache=CompileCache())
if compilation.artifact:
    execution = pool.run(compilation.artifact.command(stdin=b"5\n", limits=Limits()))
"""

from steelyard._homes import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.toolchains._artifact import Artifact, Compilation
    from steelyard.toolchains._cache import CompileCache, EntryCache
    from steelyard.toolchains._detect import LanguageStatus, languages
    from steelyard.toolchains._find import find_toolchain
    from steelyard.toolchains._harness import Harness, making_modules, text_of_modules
    from steelyard.toolchains._languages import (
        LanguageRow,
        Syntax,
        compilers_of,
        language_called,
        language_names,
        language_of,
        language_table,
        read_source,
        source_bytes,
    )
    from steelyard.toolchains._toolchain import MAX_SOURCE_BYTES, Toolchain
else:
    __getattr__, __dir__ = lazy_face(__name__)

__all__ = [
    "MAX_SOURCE_BYTES",
    "Artifact",
    "Compilation",
    "CompileCache",
    "EntryCache",
    "Harness",
    "LanguageRow",
    "LanguageStatus",
    "Syntax",
    "Toolchain",
    "compilers_of",
    "find_toolchain",
    "language_called",
    "language_names",
    "language_of",
    "language_table",
    "languages",
    "making_modules",
    "read_source",
    "source_bytes",
    "text_of_modules",
]
