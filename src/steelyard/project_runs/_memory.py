"""How much memory a run may address."""

from functools import cache
from pathlib import Path

_SHARE = 0.85


@cache
def usable_memory() -> int:
    """85 % of the machine's memory and swap, in bytes: beyond it the kernel ends what it likes."""
    total = 0
    for line in Path("/proc/meminfo").read_text("ascii").splitlines():
        name, _, rest = line.partition(":")
        if name in ("MemTotal", "SwapTotal"):
            total += int(rest.split()[0]) * 1_024
    return int(total * _SHARE)
