"""Run one worker, until SIGTERM or the end of standard input: then its parent is gone.

Its only argument, if there is one, is the parent's file for the log.
"""

import os
import signal
import sys
import threading
from pathlib import Path

from steelyard.errors import InfrastructureError, SteelyardError
from steelyard.logs import configure_logs, level_from_environment, logger
from steelyard.service.jobs._worker import Worker
from steelyard.settings import current_settings


def main() -> int:
    """Run the worker, and return its exit status."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    configure_logs(level_from_environment() or "INFO", file=file, shared=True)
    try:
        worker = Worker(current_settings())
    except SteelyardError as error:
        logger("jobs").error("the worker cannot begin", error=str(error))
        return error.exit_status

    def watch_parent() -> None:
        sys.stdin.buffer.read()
        worker.end()

    signal.signal(signal.SIGTERM, lambda _number, _frame: worker.end())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch_parent, daemon=True).start()
    try:
        worker.run()
    except Exception as error:  # noqa: BLE001  (the library raises many kinds if its database goes)
        why = str(error).partition("\n")[0]
        logger("jobs").error("the worker ends", error=why)
        return InfrastructureError.exit_status
    return 0


# At once: a thread that waits for standard input must not hold up the process.
os._exit(main())
