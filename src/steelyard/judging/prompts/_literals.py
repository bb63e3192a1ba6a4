"""Turn literals of JSON or Python into JSON text without running anything."""

import json
import re
from dataclasses import dataclass

_DEEPEST = 64
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = {
    "true": "true",
    "false": "false",
    "null": "null",
    "True": "true",
    "False": "false",
    "None": "null",
}
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "b": "\b",
    "f": "\f",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "/": "/",
}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))")
_STRINGS = {
    "'": re.compile(r"'((?:[^'\\\n]++|\\.)*+)'"),
    '"': re.compile(r'"((?:[^"\\\n]++|\\.)*+)"'),
}
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_SPACE = re.compile(r"[ \t\n]*")
_LINE_END = re.compile(r"[ \t]*\n")


class LiteralError(ValueError):
    """The text is not a literal that this module reads; the message quotes it."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: its name, which may be empty, and its value as one line of JSON."""

    name: str
    json: str


class Scanner:
    """Reads literals from a text, from left to right, each character a bounded number of times."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at

    def skip_space(self) -> bool:
        """Step over white space; return whether there was any."""
        return bool(self._take_match(_SPACE))

    def take(self, expected: str) -> bool:
        """Step over a text if it is next; return whether it was."""
        if self.text.startswith(expected, self.at):
            self.at += len(expected)
            return True
        return False

    def take_name(self) -> str:
        """Step over a name and return it; empty if there is none here."""
        return self._take_match(_NAME)

    def _take_match(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if not match:
            return ""
        self.at = match.end()
        return match[0]

    def arguments(self, closing: str) -> list[Argument]:
        """Return values, some with `name =` before them, up to and with `closing` or the end.

        Raises:
            UnreadableError: if the text is anything else.
        """
        found: list[Argument] = []
        while True:
            self.skip_space()
            if self._closed(closing):
                return found
            found.append(self._argument())
            line_ended = bool(_LINE_END.match(self.text, self.at))
            self.skip_space()
            if not self.take(",") and not (not closing and line_ended):
                if self._closed(closing):
                    return found
                raise self.unreadable()

    def value(self, depth: int = 0) -> str:
        """Return the value that begins here, as one line of JSON.

        Raises:
            UnreadableError: if there is no value here, or it is nested too deep.
        """
        if depth > _DEEPEST:
            raise LiteralError(f"values are nested more than {_DEEPEST} deep")
        here = self.text[self.at : self.at + 1]
        if here in _STRINGS:
            return json.dumps(self._string(here), ensure_ascii=False)
        if here in _CLOSING:
            return self._items(here, depth)
        if number := self._take_match(_NUMBER):
            return number
        start = self.at
        word = _WORDS.get(self.take_name())
        if word is None:
            self.at = start
            raise self.unreadable()
        return word

    def unreadable(self) -> LiteralError:
        """Return the error for text that cannot be read here."""
        rest = self.text[self.at : self.at + 20]
        met = json.dumps(rest) if rest else "the end"
        return LiteralError(f"met {met}")

    def _closed(self, closing: str) -> bool:
        return self.take(closing) if closing else self.at == len(self.text)

    def _argument(self) -> Argument:
        start = self.at
        name = self.take_name()
        self.skip_space()
        if not name or self.text.startswith("==", self.at) or not self.take("="):
            self.at, name = start, ""
        self.skip_space()
        return Argument(name, self.value())

    def _string(self, quote: str) -> str:
        written = self._take_match(_STRINGS[quote])
        if not written:
            raise LiteralError("a string is not closed")
        return _whole(_ESCAPE.sub(_unescaped, written[1:-1]))

    def _items(self, opening: str, depth: int) -> str:
        """Return a list, an object, or a tuple as a list; a value in parentheses as itself."""
        self.at += 1
        closing = _CLOSING[opening]
        pieces: list[str] = []
        commas = 0
        self.skip_space()
        while not self.take(closing):
            pieces.append(self._member(depth) if opening == "{" else self.value(depth + 1))
            self.skip_space()
            if self.take(","):
                commas += 1
                spaced = self.skip_space() or opening == "{"
                if not self.text.startswith(closing, self.at):
                    pieces.append(", " if spaced else ",")
            elif not self.text.startswith(closing, self.at):
                raise self.unreadable()
        inner = "".join(pieces)
        if opening == "{":
            return f"{{{inner}}}"
        return inner if opening == "(" and pieces and not commas else f"[{inner}]"

    def _member(self, depth: int) -> str:
        """Return a text and its value in an object."""
        if self.text[self.at : self.at + 1] not in _STRINGS:
            raise self.unreadable()
        key = self.value()
        self.skip_space()
        if not self.take(":"):
            raise self.unreadable()
        self.skip_space()
        return f"{key}: {self.value(depth + 1)}"


def _unescaped(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2] or escape[3]
    code = int(digits, 16) if digits else -1
    if not digits and escape[4] in _ESCAPES:
        return _ESCAPES[escape[4]]
    if not 0 <= code <= 0x10FFFF:
        raise LiteralError(f"a string holds the escape {json.dumps(escape[0][1:])}")
    return chr(code)


def _whole(text: str) -> str:
    """Return the text with its surrogate pairs joined."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise LiteralError("a string holds half a surrogate pair") from error


def named_arguments(text: str) -> list[Argument]:
    """Return the assignments in `nums = [2,7], target = 9`, separated by commas or line ends.

    Raises:
        UnreadableError: if a value is not a literal, or has no name.
    """
    found = Scanner(text).arguments("")
    if not all(argument.name for argument in found):
        raise LiteralError("a value has no name")
    return found


def unquoted(text: str) -> str:
    """Return the content of a text that is one string in quotes, or the text itself."""
    if text[:1] not in ("'", '"') or text[-1:] != text[:1]:
        return text
    scanner = Scanner(text)
    try:
        content = json.loads(scanner.value())
    except LiteralError:
        return text
    return content if scanner.at == len(text) and isinstance(content, str) else text
