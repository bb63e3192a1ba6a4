"""Get pages politely: one request at a time, with a pause, a cache and limits."""

import hashlib
import os
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Final

from steelyard.datasets.rows import RowError
from steelyard.errors import InfrastructureError

__all__ = ["INTERVAL_S", "Web"]

INTERVAL_S: Final = 2.0
"""Pause between requests. Source: the API's page allows one request in two seconds."""
_TIMEOUT_S = 30.0
_MAX_BYTES = 16 << 20
_AGENT = "steelyard-datasets (+https://github.com/steelyard/steelyard)"


class Web:
    """Pages of one site. What was fetched once is read from the cache."""

    def __init__(
        self, site: str, cache: Path, *, interval_s: float = INTERVAL_S, refresh: bool = False
    ) -> None:
        self.site = site.rstrip("/")
        self._cache = cache
        self._interval_s = interval_s
        self._refresh = refresh
        self._last = -interval_s

    def get(self, path: str) -> bytes:
        """Return a page.

        Raises:
            RowError: if the site refuses it or it is too large.
            InfrastructureError: if the site cannot be reached.
        """
        url = f"{self.site}{path}"
        file = self._cache / f"{hashlib.sha256(url.encode()).hexdigest()}.page"
        if not self._refresh:
            with suppress(OSError):
                return file.read_bytes()
        data = self._fetched(url)
        self._keep(file, data)
        return data

    def _fetched(self, url: str) -> bytes:
        time.sleep(max(0.0, self._last + self._interval_s - time.monotonic()))
        request = urllib.request.Request(url, headers={"User-Agent": _AGENT})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as reply:  # noqa: S310
                data: bytes = reply.read(_MAX_BYTES + 1)
        except urllib.error.HTTPError as error:
            error.close()
            raise RowError(
                f"the site answers {error.code} {error.reason}; save the page in a browser, and "
                "use --pages"
            ) from error
        except (OSError, ValueError) as error:
            raise InfrastructureError(
                f"{url} cannot be reached ({error}); check the network, or use saved pages"
            ) from error
        finally:
            self._last = time.monotonic()
        if len(data) > _MAX_BYTES:
            raise RowError(f"the page has over {_MAX_BYTES >> 20} MiB; it is not a problem page")
        return data

    def _keep(self, file: Path, data: bytes) -> None:
        """Store a page; without a cache the next call fetches it again."""
        with suppress(OSError):
            self._cache.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self._cache)
            with open(descriptor, "wb") as out:
                out.write(data)
            os.replace(name, file)
