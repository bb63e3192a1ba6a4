"""Compare arrays of two snapshots, element by element, and floats within a tolerance."""

import math
import re
from base64 import b64decode
from dataclasses import dataclass
from typing import Any

import numpy as np

from steelyard.values.snapshots._document import Entry, SnapshotError

_CODE = re.compile(r"[<>|]?(?:[biu](?:1|2|4|8)|f(?:2|4|8)|c(?:8|16))|V\d{1,4}|bf16")
_TIME = re.compile(r"[<>][mM]8(?:\[\d{0,9}[a-zA-Z]{1,2}\])?")
_LABEL = re.compile(r"[<>|][biufcmMOSU]\d{0,9}(?:\[\d{0,9}[a-zA-Z]{1,2}\])?")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Element:
    """One element that differs."""

    label: str
    original: str
    candidate: str


def header(entry: Entry) -> str:
    """Data type and shape, such as `float64 (2, 3)`."""
    label, shape = entry[1][:2]
    sizes = f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"
    return f"{_dtype_name(str(label))} {sizes}"


def _dtype_name(label: str) -> str:
    if not _LABEL.fullmatch(label):
        return label
    name: str = np.dtype(label).name
    return f"{name} (big-endian)" if label[0] == ">" else name


def described(entry: Entry) -> str:
    """An array for people: its first elements, its data type and shape."""
    name = (entry[2] if len(entry) > 2 and entry[2] else "array").rpartition(".")[2]
    data = entry[1][3]
    if type(data) is str and len(data) < 1 << 20:
        array = _decoded(entry)
        texts = [_text(entry, one) for one in array.ravel()[:6]]
        more = ", ..." if array.size > 6 else ""
        return f"{name}([{', '.join(texts)}{more}], {header(entry)})"
    return f"{name}({header(entry)})"


def _decoded(entry: Entry) -> np.ndarray[Any, Any]:
    _, shape, code, data = entry[1]
    if type(code) is not str or not _CODE.fullmatch(code):
        raise SnapshotError("an array of unknown elements")
    content = b64decode(data, validate=True)
    if code == "bf16":
        wide = np.frombuffer(content, "<u2").astype("<u4") << 16
        return wide.view("<f4").reshape(shape)
    return np.frombuffer(content, code).reshape(shape)


def _text(entry: Entry, element: Any) -> str:
    label = str(entry[1][0])
    if _TIME.fullmatch(label):
        return str(np.asarray(element).view(label))
    if isinstance(element, np.void):
        return element.tobytes().hex()
    value = element.item()
    if isinstance(value, float) and element.dtype.itemsize < 8:
        return str(element)
    return repr(value)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Bounds for floats and complex numbers; everything else stays exact.

    Attributes:
        relative: Share of the larger of the two.
        absolute: In the values' own unit.
    """

    relative: float = 0.0
    absolute: float = 0.0

    def __post_init__(self) -> None:
        for bound in (self.relative, self.absolute):
            if not bound >= 0:
                raise ValueError(f"a tolerance must be at least 0, got {bound}")

    def allows(self, one: complex, other: complex) -> bool:
        """Whether they are close, as `math.isclose` says; NaN is close to NaN."""
        if one == other or (one != one and other != other):
            return True
        size = max(abs(one), abs(other))
        if math.isinf(size):
            return False
        return abs(one - other) <= max(self.relative * size, self.absolute)


def differing(one: Entry, other: Entry, tolerance: Tolerance | None) -> tuple[list[Element], str]:
    """The first elements that differ, of two arrays of the same type and shape.

    Returns:
        The elements, and a note on all of them: how many, and by how much.
    """
    left, right = _decoded(one), _decoded(other)
    if left.dtype != right.dtype or left.shape != right.shape:
        raise SnapshotError("arrays that are not what they say")
    floating = left.dtype.kind in "fc"
    with np.errstate(all="ignore"):
        wrong = _differ_exactly(left, right)
        if tolerance is not None and floating:
            wrong &= ~_close(left, right, tolerance)
        count = int(wrong.sum())
        if not count:
            return [], ""
        note = f"{count} of {wrong.size} differ" if wrong.size > 1 else ""
        if left.dtype.kind in "iufc" and note:
            note += _by_how_much(left[wrong], right[wrong], floating=floating)
    found = []
    for place in np.argwhere(wrong)[:_SHOWN]:
        at = tuple(int(number) for number in place)
        found.append(Element(_label(at), _text(one, left[at]), _text(other, right[at])))
    return found, note


def _label(place: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, place))}]" if place else ""


def label_of(at: int, shape: list[int]) -> str:
    """The place of the element that is number `at` in C order, as a label."""
    place: list[int] = []
    for size in reversed(shape):
        at, index = divmod(at, size)
        place.append(index)
    return _label(tuple(reversed(place)))


def _differ_exactly(left: Any, right: Any) -> Any:
    kind = left.dtype.kind
    if kind == "c":
        return _differ_exactly(left.real, right.real) | _differ_exactly(left.imag, right.imag)
    if kind == "f":
        same = (left == right) & (np.signbit(left) == np.signbit(right))
        return ~(same | (np.isnan(left) & np.isnan(right)))
    return left != right


def _close(left: Any, right: Any, tolerance: Tolerance) -> Any:
    wide = "c16" if left.dtype.kind == "c" else "f8"
    left, right = left.astype(wide), right.astype(wide)
    size = np.maximum(abs(left), abs(right))
    near = abs(left - right) <= np.maximum(tolerance.relative * size, tolerance.absolute)
    both_nan = np.isnan(left) & np.isnan(right)
    return (near & np.isfinite(size)) | (left == right) | both_nan


def _by_how_much(left: Any, right: Any, *, floating: bool) -> str:
    wide = "c16" if left.dtype.kind == "c" else "f8"
    left, right = left.astype(wide), right.astype(wide)
    gap = abs(left - right)
    gap = gap[np.isfinite(gap)]
    if not gap.size:
        return ""
    text = f", by up to {gap.max():.3g}"
    if floating:
        share = abs(left - right) / np.maximum(abs(left), abs(right))
        share = share[np.isfinite(share)]
        if share.size:
            text += f", relative {share.max():.2g}"
    return text
