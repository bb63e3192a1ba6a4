"""Values at rest open under their own key and label, and not otherwise."""

import base64
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard._installation import install_command
from steelyard.errors import CacheKeyError
from steelyard.models import key_id, read_key
from steelyard.models._encryption import KEY_VARIABLE, Seal
from tests.unit.models.exchanges import KEY, OTHER_KEY

BINARY_KEY = bytes(range(224, 256))  # its base64 has + and /


@pytest.mark.parametrize("key", [None, KEY], ids=["clear", "sealed"])
def test_a_value_opens_under_its_label_only(key: bytes | None) -> None:
    seal = Seal(key)
    stored = seal.seal(b"a reply", b"label")
    assert seal.open(stored, b"label") == b"a reply"
    assert seal.open(stored, b"Label") is None
    assert seal.open(b"", b"label") is None
    assert seal.open(stored[:-1], b"label") is None


@pytest.mark.parametrize("key", [None, KEY], ids=["clear", "sealed"])
def test_any_changed_bit_is_found_out(key: bytes | None) -> None:
    seal = Seal(key)
    stored = seal.seal(b"a reply", b"label")
    for place in range(len(stored)):
        damaged = bytearray(stored)
        damaged[place] ^= 1
        assert seal.open(bytes(damaged), b"label") is None


def test_every_write_has_a_nonce_of_its_own() -> None:
    seal = Seal(KEY)
    stored = {seal.seal(b"the same", b"label") for _ in range(100)}
    assert len({each[:12] for each in stored}) == 100
    assert len({each[12:] for each in stored}) == 100
    assert not any(b"same" in each for each in stored)


def test_another_key_opens_nothing_and_has_another_id() -> None:
    stored = Seal(KEY).seal(b"a reply", b"label")
    assert Seal(OTHER_KEY).open(stored, b"label") is None
    assert key_id(KEY) != key_id(OTHER_KEY)
    assert len(key_id(KEY)) == 16
    assert key_id(None) == ""
    assert KEY.hex()[:16] not in key_id(KEY)


def test_it_is_aes_256_gcm_as_anybody_has_it() -> None:
    aead = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead")
    stored = Seal(KEY).seal(b"a reply", b"label")
    assert aead.AESGCM(KEY).decrypt(stored[:12], stored[12:], b"label") == b"a reply"


@pytest.mark.parametrize("key", [KEY, BINARY_KEY], ids=["low", "high"])
def test_a_key_is_read_as_hex_and_as_base64(monkeypatch: pytest.MonkeyPatch, key: bytes) -> None:
    standard = base64.b64encode(key).decode()
    texts = [key.hex(), key.hex().upper(), standard, standard.rstrip("="), f" {standard}\n"]
    for text in [*texts, base64.urlsafe_b64encode(key).decode()]:
        monkeypatch.setenv(KEY_VARIABLE, text)
        assert read_key() == key


def test_no_variable_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    assert read_key() is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "secret",
        "ab" * 31,
        "ab" * 33,
        "g" * 64,
        base64.b64encode(bytes(31)).decode(),
        base64.b64encode(bytes(33)).decode(),
        "é" * 43,
        "A" * 42 + "\x00",
        "A" * 45,
    ],
)
def test_a_malformed_key_is_an_error_that_does_not_show_it(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    if "\0" in text:
        monkeypatch.setattr("os.environ", {KEY_VARIABLE: text})
    else:
        monkeypatch.setenv(KEY_VARIABLE, text)
    with pytest.raises(CacheKeyError, match=f"{KEY_VARIABLE} must be 32 bytes") as caught:
        read_key()
    assert not text.strip() or text not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(CacheKeyError):
        Seal(bytes(16))


def test_a_cache_in_clear_does_without_the_package(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from steelyard.models import ReplyCache;"
        "ReplyCache(Path(sys.argv[1])); print('cryptography' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "replies.sqlite3")]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"False\n"


def test_encryption_without_its_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    Seal(None)
    with pytest.raises(CacheKeyError, match=re.escape(install_command("solve"))):
        Seal(KEY)
