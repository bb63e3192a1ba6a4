"""Check for Linux, whose kernel provides the sandbox."""

import sys

from steelyard.errors import PlatformError


def require_linux() -> None:
    """Check the operating system at first use: the library can be imported on every system.

    Raises:
        PlatformError: if this is not Linux.
    """
    # Not `sys.platform` itself: type checkers would call the rest unreachable on other systems.
    platform: str = sys.platform
    if platform == "linux":
        return
    if platform in ("win32", "cygwin"):
        advice = "install it in WSL 2 (`wsl --install`), or in a Linux container"
    else:
        advice = "install it in a Linux container or virtual machine"
    raise PlatformError(f"steelyard runs on Linux, got {platform}; {advice}")
