"""Structured logs of the whole library, through structlog and the standard `logging`.

A library stays quiet: until `configure_logs` is called, or a program configures the standard logger
`steelyard`, nothing is written. Logs never hold source code, prompts, replies or tokens.
"""

import logging
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any, Final, Literal, cast

from steelyard.errors import SettingsError, UsageError

__all__ = ["Level", "configure_logs", "level_from_environment", "log_file", "logger"]

Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
_LEVELS: Final[tuple[Level, ...]] = ("DEBUG", "INFO", "WARNING", "ERROR")
_ROOT = "steelyard"
_FILE_MIB = 16
_FILES_KEPT = 5

logging.getLogger(_ROOT).addHandler(logging.NullHandler())


class Logger:
    """Logs events of one part of the library: `log.info("cell lost", core=3)`."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(f"{_ROOT}.{name}")
        self._structured: Any = None

    def debug(self, event: str, **fields: object) -> None:
        """Log what only matters to those who look for a fault."""
        self._write(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: object) -> None:
        """Log what a normal run does."""
        self._write(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Log what the work can continue without."""
        self._write(logging.WARNING, event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Log a failure of the machine."""
        self._write(logging.ERROR, event, fields)

    def exception(self, event: str, **fields: object) -> None:
        """Log where the exception that is being handled was raised."""
        self._write(logging.ERROR, event, fields | {"exc_info": True})

    def _write(self, level: int, event: str, fields: dict[str, Any]) -> None:
        if not self._logger.isEnabledFor(level):
            return
        if self._structured is None:
            self._structured = _structured(self._logger)
        self._structured.log(level, event, **fields)


def logger(name: str) -> Logger:
    """Return the logger of one part of the library, such as `sandbox`."""
    return Logger(name)


def level_from_environment() -> Level | None:
    """Return the level in the environment variable `LOG_LEVEL`; None if it is not set.

    Raises:
        SettingsError: if it is not a level.
    """
    given = os.environ.get("LOG_LEVEL", "")
    if not given:
        return None
    for level in _LEVELS:
        if level == given.upper():
            return level
    raise SettingsError(f"LOG_LEVEL is {given!r}; use one of {', '.join(_LEVELS)}")


def configure_logs(
    level: Level = "INFO",
    *,
    as_json: bool | None = None,
    file: Path | None = None,
    shared: bool = False,
) -> None:
    """Write the library's logs to standard error, and to a file if there is one.

    Args:
        level: The least important events to write.
        as_json: Write lines of JSON; None does so if standard error is not a terminal. Else lines
            for people, in colour.
        file: A file for lines of JSON. At 16 MiB a new one begins; five older ones are kept.
        shared: The file is another process's, which begins the new ones.

    Raises:
        UsageError: if the file cannot be written.
    """
    root = logging.getLogger(_ROOT)
    plain = not sys.stderr.isatty() if as_json is None else as_json
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    handlers[0].setFormatter(_formatter(plain))
    if file is not None:
        from logging.handlers import (  # few processes log to a file  # noqa: PLC0415
            RotatingFileHandler,
            WatchedFileHandler,
        )

        try:
            handlers.append(
                WatchedFileHandler(file)
                if shared
                else RotatingFileHandler(file, maxBytes=_FILE_MIB << 20, backupCount=_FILES_KEPT)
            )
        except OSError as error:
            raise UsageError(
                f"{file} cannot be written: {error.strerror}; name another file for the log"
            ) from error
        handlers[-1].setFormatter(_formatter(as_json=True))
    for old in root.handlers:
        old.close()
    root.handlers = handlers
    root.setLevel(level)
    root.propagate = False


def log_file() -> Path | None:
    """Return the file that this process logs to; None if it has none."""
    handlers = logging.getLogger(_ROOT).handlers
    files = (each.baseFilename for each in handlers if isinstance(each, logging.FileHandler))
    return next(map(Path, files), None)


def _structured(target: logging.Logger) -> Any:
    import structlog  # slow to import, and not needed where nothing is logged  # noqa: PLC0415

    return structlog.wrap_logger(
        target,
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _show_traceback,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _show_traceback(_: Any, __: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Replace an exception by where it was raised, without its text: that may hold a program."""
    raised = event.pop("exc_info", None)
    error = raised[1] if isinstance(raised, tuple) else sys.exception() if raised else None
    if error is not None:
        event["exception"] = "\n".join(_raised_at(error))
    return event


def _raised_at(error: BaseException) -> Iterator[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _raised_at(cause)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _raised_at(each)
    yield from (line.rstrip() for line in traceback.format_tb(error.__traceback__))
    yield f"{type(error).__module__}.{type(error).__qualname__}"


def _formatter(as_json: bool) -> logging.Formatter:
    import structlog  # noqa: PLC0415

    render: Any = (
        structlog.processors.JSONRenderer(default=str)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=True)
    )
    made = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _show_traceback,
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
    )
    return cast("logging.Formatter", made)
