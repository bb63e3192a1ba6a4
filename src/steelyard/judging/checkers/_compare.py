"""Find the first difference of two texts, at the speed of memory and without copies."""

_WINDOW = 1 << 20
_TAIL = 1 << 16
_SPACES = (b" ", b"\n", b"\t", b"\r", b"\v", b"\f")


def first_mismatch(left: bytes, right: bytes) -> int:
    """Return the first offset at which two texts differ, or the length of the shorter one."""
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
    """Return the length without trailing white space."""
    end = len(data)
    while end:
        start = max(0, end - _TAIL)
        kept = len(data[start:end].rstrip())
        if kept:
            return start + kept
        end = start
    return 0


def word_start(data: bytes, position: int) -> int:
    """Return the start of the word that ends at `position`."""
    return max(data.rfind(space, 0, position) for space in _SPACES) + 1
