"""`-v`: log what the library does to standard error."""

from steelyard.logs import Level, configure_logs, level_from_environment

__all__ = ["be_verbose", "log_level"]


class _Given:
    verbosity = 0


def be_verbose(verbosity: int) -> None:
    """Write logs if they were asked for: by `-v`, `-vv` or `LOG_LEVEL`."""
    _Given.verbosity = verbosity
    if verbosity or level_from_environment():
        configure_logs(log_level())


def log_level() -> Level:
    """Return the level that was asked for; else INFO."""
    if _Given.verbosity > 1:
        return "DEBUG"
    return ("INFO" if _Given.verbosity else level_from_environment()) or "INFO"
