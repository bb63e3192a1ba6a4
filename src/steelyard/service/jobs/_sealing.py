"""Keep what jobs hold encrypted in their database if `CACHE_ENCRYPT_KEY` is set."""

import base64
import binascii
from collections.abc import Mapping

from steelyard.errors import DatabaseError
from steelyard.models import KEY_VARIABLE, key_id, read_key, seal_with
from steelyard.service._job import Summary

_PREFIX = "sealed:"
_LABEL = b"job"
_SUMMARY = "summary"


class Sealing:
    """Seals requests, events, turns and results of jobs: they hold programs, tests and prompts.

    Without a key it returns texts as they are. It reads both kinds. Threads may share it.

    Raises:
        CacheKeyError: if the key is malformed, or `cryptography` is not installed.
    """

    def __init__(self) -> None:
        key = read_key()
        self._key_id = key_id(key)
        self._seal = None if key is None else seal_with(key)

    def seal(self, text: str) -> str:
        """Return the stored form of a JSON text."""
        if self._seal is None:
            return text
        sealed = self._seal.seal(text.encode("utf-8", "surrogatepass"), _LABEL)
        return f"{_PREFIX}{self._key_id}:{base64.b64encode(sealed).decode('ascii')}"

    def open(self, stored: str) -> str:
        """Return the JSON text of a stored form.

        Raises:
            DatabaseError: if it was sealed with another key, or changed.
        """
        if not stored.startswith(_PREFIX):
            return stored
        used, _, value = stored.removeprefix(_PREFIX).partition(":")
        if self._seal is None or used != self._key_id:
            raise DatabaseError(
                f"a run is encrypted with the key {used[:16]}; set {KEY_VARIABLE} to that key"
            )
        try:
            opened = self._seal.open(base64.b64decode(value, validate=True), _LABEL)
        except binascii.Error:
            opened = None
        if opened is None:
            raise DatabaseError("an encrypted run was changed in the database; start it again")
        return opened.decode("utf-8", "surrogatepass")

    def summary(self, summary: Summary) -> dict[str, str]:
        """Return the attribute of a job that holds its summary."""
        return {_SUMMARY: self.seal(summary.model_dump_json())}

    def summary_in(self, attributes: Mapping[str, str]) -> Summary:
        """Return the summary in a job's attributes; an empty one if it needs another key."""
        try:
            return Summary.model_validate_json(self.open(attributes.get(_SUMMARY, "{}")))
        except DatabaseError:  # a list shows the runs of other keys too
            return Summary()
