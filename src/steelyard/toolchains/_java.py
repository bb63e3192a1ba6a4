"""Java's own rules: a file is named after its public class, a program after its main class."""

import io
import zipfile

import re2

_PUBLIC_TYPE = re2.compile(
    rb"\bpublic\s+(?:(?:abstract|final|sealed|non-sealed|strictfp)\s+)*"
    rb"(?:class|interface|enum|record)\s+([A-Za-z_$][A-Za-z0-9_$]{0,200})\b"
)
_NO_CODE = re2.compile(
    rb'//[^\n]*|/\*(?:[^*]|\*+[^*/])*\*+/|"""(?:[^"\\]|\\.|"[^"]|""[^"])*"""'
    rb'|"(?:[^"\\\n]|\\.)*"' + rb"|'(?:[^'\\\n]|\\.)*'"
)
_DEFAULT = "Main"
_MAX_CLASSES = 2_000
_MAX_CLASS_BYTES = 1 << 20


def source_name(source: bytes) -> str:
    """The file name that javac demands: that of the public top-level type, else `Main.java`."""
    code = re2.sub(_NO_CODE, b" ", source)
    depth = 0
    position = 0
    for match in _PUBLIC_TYPE.finditer(code):
        between = code[position : match.start()]
        depth += between.count(b"{") - between.count(b"}")
        position = match.start()
        if depth == 0:
            return f"{match.group(1).decode()}.java"
    return f"{_DEFAULT}.java"


def main_class(jar: bytes, source: str) -> str:
    """The class to start: one with a `main` method, before others the one that names the file.

    Args:
        jar: What the compile made.
        source: The source file's name.

    Returns:
        The class that names the file where none has one; the JVM will then say so.
    """
    preferred = source.removesuffix(".java")
    with zipfile.ZipFile(io.BytesIO(jar)) as archive:
        entries = [each for each in archive.infolist() if each.filename.endswith(".class")]
        found = [
            entry.filename.removesuffix(".class").replace("/", ".")
            for entry in entries[:_MAX_CLASSES]
            if entry.file_size <= _MAX_CLASS_BYTES and _has_main(archive.read(entry))
        ]
    rank = {preferred: 0, _DEFAULT: 1}
    return min(
        found, key=lambda name: (rank.get(name.rpartition(".")[2], 2), name), default=preferred
    )


def _has_main(image: bytes) -> bool:
    """Whether a class file's constants name a method `main` that takes the arguments."""
    return b"\x01\x00\x04main" in image and b"\x01\x00\x16([Ljava/lang/String;)V" in image
