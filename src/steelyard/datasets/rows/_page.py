"""Read a saved page as one row, whose only field is its HTML."""

import json
from collections.abc import Iterable

from steelyard.datasets.rows._limits import FileError

__all__ = ["page_row"]

_MAX_PAGE_BYTES = 16 << 20


def page_row(chunks: Iterable[bytes]) -> bytes:
    """Return the row as JSON.

    Raises:
        FileError: if the page is too large, or not UTF-8.
    """
    page = bytearray()
    for chunk in chunks:
        page += chunk
        if len(page) > _MAX_PAGE_BYTES:
            raise FileError(f"a page of over {_MAX_PAGE_BYTES >> 20} MiB; save a single problem")
    try:
        return json.dumps({"page": page.decode()}).encode()
    except UnicodeDecodeError as error:
        raise FileError(f"byte {error.start + 1} is not UTF-8; save the page as UTF-8") from error
