"""Store values of the cache encrypted with AES-GCM, or unencrypted with a digest.

In both forms a value that was changed on disk does not open.
"""

import base64
import binascii
import hashlib
import hmac
import os
import re
from typing import TYPE_CHECKING

from steelyard._installation import install_command
from steelyard.errors import CacheKeyError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_VARIABLE = "CACHE_ENCRYPT_KEY"
NEW_KEY_VARIABLE = "CACHE_ENCRYPT_KEY_NEW"
_KEY_BYTES = 32
_NONCE_BYTES = 12
"""96 bits, which GCM uses directly. Random nonces are safe for 2^32 values under one key.

Source: NIST SP 800-38D, section 8.3.
"""
_TAG_BYTES = 16
_KEY_ID_DIGITS = 16


def read_key(variable: str = KEY_VARIABLE) -> bytes | None:
    """Return the key in an environment variable.

    Returns:
        32 bytes; None if the variable is not set.

    Raises:
        CacheKeyError: if it is set, and is not 32 bytes as hex or base64. The message shows no
            part of the value.
    """
    text = os.environ.get(variable)
    if text is None:
        return None
    key = _decoded(text.strip())
    if key is None or len(key) != _KEY_BYTES:
        found = "is empty" if not text.strip() else "is not"
        raise CacheKeyError(
            f"{variable} must be 32 bytes, as 64 digits of hex or 44 characters of base64, and "
            f"{found}; make a key with `openssl rand -hex 32`, or unset it to store replies "
            "unencrypted"
        )
    return key


def _decoded(text: str) -> bytes | None:
    if re.fullmatch(r"[0-9A-Fa-f]{64}", text):
        return bytes.fromhex(text)
    if not re.fullmatch(r"[A-Za-z0-9+/_-]{43}=?", text):
        return None
    try:
        return base64.b64decode(text[:43].replace("-", "+").replace("_", "/") + "=", validate=True)
    except binascii.Error:
        return None


def key_id(key: bytes | None) -> str:
    """Return 16 hex digits that identify a key without revealing it; empty for None."""
    if key is None:
        return ""
    return hashlib.sha256(b"steelyard cache key id\0" + key).hexdigest()[:_KEY_ID_DIGITS]


class Seal:
    """A way to store values: encrypted with a key, or unencrypted with a digest.

    Encrypted: the nonce, then ciphertext and tag; the label is the associated data. Unencrypted:
    the SHA-256 of label and value, then the value.

    Args:
        key: A key of 32 bytes; None stores values unencrypted.

    Raises:
        CacheKeyError: if the key is of another length, or `cryptography` is not installed.
    """

    def __init__(self, key: bytes | None) -> None:
        if key is not None and len(key) != _KEY_BYTES:
            raise CacheKeyError(f"the cache's key must have {_KEY_BYTES} bytes, got {len(key)}")
        self.key_id = key_id(key)
        self._cipher = None if key is None else _aes_gcm(key)

    def seal(self, value: bytes, label: bytes) -> bytes:
        """Return the stored form of a value, bound to a label that is not stored."""
        if self._cipher is None:
            return hashlib.sha256(label + value).digest() + value
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, value, label)

    def open(self, stored: bytes, label: bytes) -> bytes | None:
        """Return the value; None if it was changed, or has another key or label."""
        if self._cipher is None:
            digest, value = stored[:32], stored[32:]
            same = hmac.compare_digest(digest, hashlib.sha256(label + value).digest())
            return value if same else None
        from cryptography.exceptions import InvalidTag  # an extra  # noqa: PLC0415

        if len(stored) < _NONCE_BYTES + _TAG_BYTES:
            return None
        try:
            return self._cipher.decrypt(stored[:_NONCE_BYTES], stored[_NONCE_BYTES:], label)
        except InvalidTag:
            return None


def _aes_gcm(key: bytes) -> "AESGCM":
    try:
        from cryptography.hazmat.primitives.ciphers.aead import (  # an extra  # noqa: PLC0415
            AESGCM,
        )
    except ImportError as error:
        raise CacheKeyError(
            f"{KEY_VARIABLE} is set, but the package cryptography, which encrypts replies, is "
            f"not installed; run: {install_command('solve')}"
        ) from error
    return AESGCM(key)
