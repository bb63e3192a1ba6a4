"""`-v`: show details of results, and log what the library does to standard error."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from steelyard.logs import Level


class _Given:
    verbosity = 0


def be_verbose(verbosity: int) -> None:
    """Write logs if they were asked for: by `-v`, `-vv` or `LOG_LEVEL`."""
    from steelyard.logs import configure_logs, level_from_environment  # noqa: PLC0415

    _Given.verbosity = verbosity
    if verbosity or level_from_environment():
        configure_logs(log_level())


def is_verbose() -> bool:
    """Return True if `-v` was given: reports then have details that most readers do not need."""
    return _Given.verbosity > 0


def log_level() -> "Level":
    """Return the level that was asked for; else INFO."""
    from steelyard.logs import level_from_environment  # noqa: PLC0415

    if _Given.verbosity > 1:
        return "DEBUG"
    return ("INFO" if _Given.verbosity else level_from_environment()) or "INFO"
