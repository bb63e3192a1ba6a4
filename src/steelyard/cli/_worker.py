"""`steelyard worker`: run the jobs of a service."""

import signal
from typing import Annotated

import typer

from steelyard._installation import install_command
from steelyard.cli._options import Database
from steelyard.cli._verbosity import log_level
from steelyard.errors import UsageError
from steelyard.logs import configure_logs
from steelyard.settings import current_settings


def worker(
    workers: Annotated[
        int, typer.Option(min=1, max=1_024, help="Processes; each runs one job at a time.")
    ] = 1,
    database: Database = None,
) -> None:
    """Run the long jobs of a service, on this machine or on another.

    It runs until SIGINT or SIGTERM, and finishes the jobs under way. Services and workers share the
    database.
    """
    try:
        from steelyard.service.jobs import JobQueue, Workers  # an extra  # noqa: PLC0415
        from steelyard.storage import open_database  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            f"workers need packages that are not installed; run: {install_command('service')}"
        ) from error
    settings = current_settings()
    if database is not None:
        settings = settings.model_copy(update={"database_url": str(database)})
    configure_logs(log_level())
    # Each fails with one line: tables of another version, or a database that is not there.
    with open_database(settings.database_url or None), JobQueue(settings):
        pass
    with Workers(settings, workers) as running:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: running.end())
        running.wait()
