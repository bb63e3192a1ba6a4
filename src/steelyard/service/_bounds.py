"""Bound what a request asks of the service: sources, tests, limits.

`_middleware` bounds the size of a body, and `settings` has the numbers.
"""

from steelyard.job import Needs
from steelyard.schemas import Limits
from steelyard.service._error_responses import Problem
from steelyard.settings import ServiceSettings

_USUAL = Limits()


def check(needs: Needs, settings: ServiceSettings) -> None:
    """Refuse what is beyond the service's limits.

    Raises:
        Problem: 422.
    """
    for source in needs.sources:
        check_source(source, settings)
    check_count(needs.tests, settings)
    check_limits(needs.limits, settings, time_s=needs.time_s)


def check_count(tests: int, settings: ServiceSettings) -> None:
    """Refuse too many tests.

    Raises:
        Problem: 422.
    """
    if tests > settings.max_tests:
        raise Problem(
            422,
            "too-many-tests",
            "A program has too many tests",
            f"{tests:,} tests are given, and {settings.max_tests:,} are allowed",
            limit=settings.max_tests,
        )


def check_source(source: str | bytes, settings: ServiceSettings) -> None:
    """Refuse a program that is too large.

    Raises:
        Problem: 422.
    """
    size = len(source if isinstance(source, bytes) else source.encode("utf-8", "replace"))
    if size > settings.max_source_kib << 10:
        raise Problem(
            422,
            "source-too-large",
            "A program is too large",
            f"a program may have {settings.max_source_kib:,} KiB, got {size:,} bytes",
            limit_kib=settings.max_source_kib,
        )


def check_limits(limits: Limits | None, settings: ServiceSettings, *, time_s: float = 0.0) -> None:
    """Refuse limits beyond the service's.

    Args:
        limits: Of a program.
        settings: With the service's own limits.
        time_s: A further time that must be within the service's.

    Raises:
        Problem: 422.
    """
    own = limits or _USUAL
    _check_most("time", max(own.cpu_ms / 1000, time_s), settings.max_time_s, "s")
    _check_most("wall time", own.wall_ms / 1000, settings.max_time_s + 1, "s")
    _check_most("memory", max(own.memory_mib, own.stack_mib), settings.max_memory_mib, "MiB")
    _check_most("output", max(own.output_mib, own.file_mib), settings.max_output_mib, "MiB")


def _check_most(what: str, value: float, most: float, unit: str) -> None:
    if value > most:
        raise Problem(
            422,
            f"{what.replace(' ', '-')}-limit-too-high",
            f"The {what} limit is beyond the service's",
            f"the {what} limit may be {most:g} {unit} at most, got {value:g} {unit}",
            limit=most,
        )
