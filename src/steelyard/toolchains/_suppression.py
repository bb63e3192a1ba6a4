"""Detect C or C++ sources that turn their own warnings off.

A program that compiles without warnings earns more, so a source must not gain by silencing the
compiler. GCC and Clang have no switch that ignores such directives; a directive that hides
warnings therefore counts as a warning. The text is read as the preprocessor does: with lines
spliced and without comments.
"""

import re2

_HINT = re2.compile(rb"ignored|system_header|(?m:^[ \t]*(?:#|%:|\?\?=).*[0-9])")
_SILENCER = re2.compile(
    rb"\bdiagnostic\s+ignored\b"  # in a #pragma, or in the string that _Pragma takes
    rb"|\bsystem_header\b"
    rb'|(?m:^[ \t]*(?:#|%:|\?\?=)[ \t]*[0-9]+[ \t]+"(?:[^"\\\n]|\\.)*"[ \t0-9]*\b3\b)'  # marker
)
_BUILT_PRAGMA = re2.compile(rb'_Pragma\s*\(\s*[^"\s]')
_BUILT_SILENCER = re2.compile(rb"\bignored\b|\bdiagnostic\b")
_COMMENT = rb"//[^\n]*|/\*"
_RAW_STRING = rb'|\b(?:u8|[uUL])?R"([^()\\\s"]{0,16})\('
_NUMBER = rb"|\b[0-9](?:[0-9A-Za-z_.]|'[0-9A-Za-z_])*"  # its ' starts no character literal
_LITERAL = rb"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?"""
_CPP_TOKEN = re2.compile(_COMMENT + _RAW_STRING + _NUMBER + _LITERAL)
_C_TOKEN = re2.compile(_COMMENT + _LITERAL)
_MAX_READ_BYTES = 1 << 20


def silences_warnings(source: bytes) -> bool:
    """Return True if the text has a directive that makes GCC or Clang hide warnings."""
    text = _splice(source)
    if not _HINT.search(text):
        return False
    if len(text) > _MAX_READ_BYTES:  # not worth the time; its comments are read as code
        return _has_silencer(text)
    return any(_has_silencer(_without_comments(text, as_cpp=as_cpp)) for as_cpp in (True, False))


def _has_silencer(text: bytes) -> bool:
    if _SILENCER.search(text):
        return True
    return bool(_BUILT_PRAGMA.search(text) and _BUILT_SILENCER.search(text))


def _splice(source: bytes) -> bytes:
    spliced: bytes = re2.sub(rb"(?:\\|\?\?/)[ \t\r]*\n", b"", source)
    return spliced


def _without_comments(text: bytes, *, as_cpp: bool) -> bytes:
    """Return the text with a space for each comment; string and character literals are kept.

    Args:
        text: The source, spliced.
        as_cpp: True if raw strings and digit separators exist, which strict C lacks.
    """
    token = _CPP_TOKEN if as_cpp else _C_TOKEN
    kept: list[bytes] = []
    position = 0
    while match := token.search(text, position):
        start, end = match.span()
        kept.append(text[position:start])
        opening = text[start : start + 2]
        if opening == b"//":
            kept.append(b" ")
        elif opening == b"/*":
            end = _after(text, b"*/", end)
            kept.append(b" ")
        else:
            if as_cpp and match.group(1) is not None:
                end = _after(text, b")" + match.group(1) + b'"', end)
            kept.append(text[start:end])
        position = end
    kept.append(text[position:])
    return b"".join(kept)


def _after(text: bytes, closing: bytes, position: int) -> int:
    found = text.find(closing, position)
    return len(text) if found < 0 else found + len(closing)
