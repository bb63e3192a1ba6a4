"""Where two texts part, found at the speed of memory and without a copy of either."""

__all__ = ["content_end", "first_mismatch", "word_start"]

_WINDOW = 1 << 20
_TAIL = 1 << 16
_SPACES = (b" ", b"\n", b"\t", b"\r", b"\v", b"\f")


def first_mismatch(left: bytes, right: bytes) -> int:
    """The first offset at which the two differ; the shorter length where one begins the other."""
    end = min(len(left), len(right))
    view = memoryview(right)
    low = 0
    while low < end and left.startswith(view[low : min(low + _WINDOW, end)], low):
        low += _WINDOW
    if low >= end:
        return end
    high = min(low + _WINDOW, end)
    while high - low > 1:  # left[:low] agrees, left[low:high] does not
        middle = (low + high) // 2
        if left.startswith(view[low:middle], low):
            low = middle
        else:
            high = middle
    return low


def content_end(data: bytes) -> int:
    """The length without the trailing white space."""
    end = len(data)
    while end:
        start = max(0, end - _TAIL)
        kept = len(data[start:end].rstrip())
        if kept:
            return start + kept
        end = start
    return 0


def word_start(data: bytes, position: int) -> int:
    """Where the run of bytes that are not white space, and that ends at `position`, begins."""
    return max(data.rfind(space, 0, position) for space in _SPACES) + 1
