"""Read a text that somebody pickled, without unpickling anything.

LiveCodeBench packs its private tests as base64 over zlib over a pickle of one text.
"""

import base64
import binascii
import pickletools
import zlib

from steelyard.datasets.rows import MAX_RATIO, MAX_ROW_BYTES, RATIO_FLOOR_BYTES, RowError

__all__ = ["unpack_text"]

_TEXT = frozenset({"BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "UNICODE"})
_AROUND = frozenset({"PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT", "STOP"})
"""What a pickle of one text consists of, apart from the text. None of it is executed."""


def unpack_text(packed: str) -> str:
    """Return the text in base64 over zlib over a pickle.

    Raises:
        RowError: if it is anything but one text, is damaged, or expands too much.
    """
    try:
        data = _inflated(base64.b64decode(packed, validate=True))
    except (binascii.Error, ValueError) as error:
        raise RowError(f"packed tests are not base64 ({error}); get the row again") from error
    except zlib.error as error:
        raise RowError(f"packed tests are damaged ({error}); get the row again") from error
    return _pickled_text(data)


def _inflated(packed: bytes) -> bytes:
    limit = min(MAX_ROW_BYTES, max(RATIO_FLOOR_BYTES, MAX_RATIO * len(packed)))
    inflater = zlib.decompressobj()
    data = inflater.decompress(packed, limit)
    if inflater.unconsumed_tail:
        raise RowError(
            f"packed tests expand to over {limit >> 20} MiB, as a decompression bomb does"
        )
    if not inflater.eof:
        raise RowError("packed tests end too early; get the row again")
    return data


def _pickled_text(data: bytes) -> str:
    text: str | None = None
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name in _TEXT and text is None:
                text = str(argument)
            elif opcode.name not in _AROUND:
                raise RowError(
                    f"packed tests are a pickle with {opcode.name}, which may run code; "
                    "only a pickled text is read"
                )
    except RowError:
        raise
    except (ValueError, OverflowError) as error:
        raise RowError(f"packed tests are not a pickle ({error}); get the row again") from error
    if text is None:
        raise RowError("packed tests are a pickle without text; get the row again")
    return text
