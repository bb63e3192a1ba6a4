"""The entry point. It imports nothing slow before an interrupt is caught."""

import os

__all__ = ["main"]


def main() -> int:
    """Run the command line and return its exit status."""
    try:
        from steelyard.cli._process import run  # noqa: PLC0415

        return run()
    except KeyboardInterrupt:  # before `run` has its own handler
        try:
            os.write(2, b"steelyard: interrupted\n")
        finally:
            os._exit(130)
