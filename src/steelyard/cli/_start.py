"""The entry point. It imports nothing slow before an interrupt is caught."""

import gc
import os
import sys


def main() -> int:
    """Run the command line and return its exit status."""
    sys.unraisablehook = _end_if_interrupted
    try:
        if sys.platform != "linux":  # before an import of what only Linux has
            return _advise()
        gc.disable()  # until a command runs: imports make no garbage
        # Looking for plugins of Pydantic takes longer than all other work of a short command.
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        from steelyard.cli._process import run  # noqa: PLC0415

        return run()
    except KeyboardInterrupt:  # before `run` has its own handler
        _end()
        return 130


def _end_if_interrupted(lost: "sys.UnraisableHookArgs") -> None:
    """End the process if Python drops an interrupt, as it does in a callback of an import."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _end()
    sys.__unraisablehook__(lost)


def _end() -> None:
    try:
        os.write(2, b"steelyard: interrupted\n")
    finally:
        os._exit(130)


def _advise() -> int:
    from steelyard._installation import require_linux  # noqa: PLC0415
    from steelyard.errors import PlatformError  # noqa: PLC0415

    try:
        require_linux()
    except PlatformError as error:
        os.write(2, f"steelyard: {error}\n".encode())
    return PlatformError.exit_status
