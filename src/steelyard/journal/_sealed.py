"""Keep artefacts encrypted if `CACHE_ENCRYPT_KEY` is set, and read both kinds."""

import base64
import binascii
import json
from pathlib import Path

from steelyard.errors import CacheKeyError, UsageError
from steelyard.models import KEY_VARIABLE, key_id, read_key, seal_with

_NAME = "sealed_with"
_MOST_HEAD = 64


def sealed(file: Path, text: str, key: bytes | None) -> bytes:
    """Return what an artefact's file holds: its text, or the encrypted text with the key's id.

    An encrypted text is bound to the file's name.
    """
    data = text.encode("utf-8", "backslashreplace")
    if key is None:
        return data
    seal = seal_with(key)
    value = base64.b64encode(seal.seal(data, _label(file))).decode("ascii")
    return json.dumps({_NAME: seal.key_id, "value": value}).encode()


def content_of(file: Path) -> bytes:
    """Return the text of an artefact's file, decrypted if needed.

    Raises:
        OSError: if it cannot be read.
        CacheKeyError: if it is encrypted with another key than `CACHE_ENCRYPT_KEY`.
        UsageError: if it was changed.
    """
    data = file.read_bytes()
    if _NAME.encode() not in data[:_MOST_HEAD]:
        return data
    try:
        envelope = json.loads(data)
        used, value = str(envelope[_NAME]), base64.b64decode(envelope["value"], validate=True)
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error):
        return data
    key = read_key()
    if key is None or key_id(key) != used:
        raise CacheKeyError(
            f"{file} is encrypted with the key {used}; set {KEY_VARIABLE} to that key"
        )
    opened = seal_with(key).open(value, _label(file))
    if opened is None:
        raise UsageError(f"{file} was changed, and cannot be decrypted; give another run")
    return opened


def _label(file: Path) -> bytes:
    turn = file.parent.name if file.parent.name.startswith("iter_") else ""
    return f"{turn}/{file.name}".encode()
