"""Follow Java's rules: a file is named after its public class, a program after its main class."""

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
_LAUNCHER = "SteelyardLauncher"  # java_launcher.java
_MAX_CLASSES = 2_000
_MAX_CLASS_BYTES = 1 << 20


def source_name(source: bytes) -> str:
    """Return the file name that javac requires: the public top-level type's, else `Main.java`."""
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
    """Return a class with a `main` method, preferably the class that names the file.

    Args:
        jar: The jar that the compile made.
        source: The source file's name.

    Returns:
        The class that names the file if no class has a `main` method; the JVM then reports that.
    """
    preferred = source.removesuffix(".java")
    with zipfile.ZipFile(io.BytesIO(jar)) as archive:
        entries = [each for each in archive.infolist() if each.filename.endswith(".class")]
        found = [
            entry.filename.removesuffix(".class").replace("/", ".")
            for entry in entries[:_MAX_CLASSES]
            if entry.file_size <= _MAX_CLASS_BYTES and _has_main(archive.read(entry))
        ]
    rank = {preferred: 0, _DEFAULT: 1, _LAUNCHER: 3}
    return min(
        found, key=lambda name: (rank.get(name.rpartition(".")[2], 2), name), default=preferred
    )


def _has_main(image: bytes) -> bool:
    """Return True if a class file's constants name a method `main` with a `String[]` parameter."""
    return b"\x01\x00\x04main" in image and b"\x01\x00\x16([Ljava/lang/String;)V" in image
