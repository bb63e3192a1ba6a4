"""Steelyard runs on Linux: its sandbox is made of the kernel's own parts."""

import sys

from steelyard.errors import PlatformError

__all__ = ["require_linux"]


def require_linux() -> None:
    """Check the operating system, on use: importing the library works on every one.

    Raises:
        PlatformError: This is not Linux.
    """
    # Not `sys.platform` itself: type checkers would take what follows for unreachable elsewhere.
    platform: str = sys.platform
    if platform == "linux":
        return
    if platform in ("win32", "cygwin"):
        advice = "install it in WSL 2 (`wsl --install`), or in a Linux container"
    else:
        advice = "install it in a Linux container or virtual machine"
    raise PlatformError(f"steelyard runs on Linux, got {platform}; {advice}")
