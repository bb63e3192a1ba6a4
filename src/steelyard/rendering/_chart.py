"""Define the content of a chart, independent of its drawing."""

from dataclasses import dataclass
from typing import NamedTuple

from steelyard.rendering._axis import Axis


@dataclass(frozen=True)
class Dots:
    """Measured figures."""

    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    highs: tuple[float, ...] = ()
    """The tops of their spread; empty if there is no spread."""
    main: bool = True
    """Whether these are the main figures of the chart, not secondary ones."""


@dataclass(frozen=True)
class Line:
    """A curve."""

    label: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    rival: bool = False


@dataclass(frozen=True)
class Target:
    """The largest input with its predicted interval."""

    x: float
    low: float
    mid: float
    high: float
    label: str


class Outline(NamedTuple):
    """An interval that is known at each of several sizes."""

    xs: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True)
class Chart:
    """One chart."""

    title: str
    x: Axis
    y: Axis
    dots: tuple[Dots, ...] = ()
    lines: tuple[Line, ...] = ()
    band: Outline | None = None
    limit: float | None = None
    limit_label: str = ""
    target: Target | None = None
    n_max: float | None = None
