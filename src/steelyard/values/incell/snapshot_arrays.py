"""Arrays in a snapshot: numpy's, and those of scipy, torch and jax through them."""

from __future__ import annotations

import sys
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_values, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry

_RAW = "?bBhHiIlLqQefdFD"
_TIMES = "mM"


def _numpy() -> Any:
    return sys.modules["numpy"]


class Unshared:
    """An array whose memory is its owner's business: nobody else can write to it."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        """The array, numpy's."""
        self.array = array


def _unshared(walk: Walk, value: Unshared) -> Entry:
    entry = raw(walk, value.array)
    return ["A", entry[1], "numpy.ndarray", *entry[3:]]


def raw(walk: Walk, array: Any) -> Entry:
    """A numpy array's entry, without the memory that it may share."""
    numpy = _numpy()
    array = numpy.ndarray.view(array, numpy.ndarray)
    dtype = array.dtype
    shape = list(array.shape)
    label = dtype.str if dtype.kind != "T" else str(dtype)
    if dtype.names is not None:
        body = [repr(dtype.descr) if dtype.isbuiltin != 2 else str(dtype), shape, None, None]
        return ["a", body, None, walk.fields((f"[{name!r}]", array[name]) for name in dtype.names)]
    if dtype.char in _RAW:
        code = dtype.str.removeprefix("|")
        return ["a", [label, shape, code, _bytes_of(walk, array)]]
    if dtype.kind in _TIMES:
        whole = array.view(dtype.str[0] + "i8")
        return ["a", [label, shape, f"{dtype.str[0]}i8", _bytes_of(walk, whole)]]
    if dtype.kind in "OUST":
        return ["a", [label, shape, None, walk.items(array.ravel().tolist())]]
    if dtype.char in "gG":
        return ["a", [label, shape, None, [repr(one) for one in array.ravel()]]]
    return ["a", [str(dtype), shape, f"V{dtype.itemsize}", _bytes_of(walk, array)]]


def _bytes_of(walk: Walk, array: Any) -> Any:
    return snapshot_values.blob(walk, memoryview(array.tobytes()))


def _ndarray(walk: Walk, value: Any) -> Entry:
    numpy = _numpy()
    plain = numpy.ndarray.view(value, numpy.ndarray)
    _note(walk, plain)
    return raw(walk, plain)


def _note(walk: Walk, array: Any) -> None:
    """Remembers where an array lies."""
    if not array.size or not array.itemsize:
        return
    start = end = array.__array_interface__["data"][0]
    for size, step in zip(array.shape, array.strides, strict=True):
        if step < 0:
            start += (size - 1) * step
        else:
            end += (size - 1) * step
    walk.regions.append((walk.line, start, end + array.itemsize, array))


def _masked(walk: Walk, value: Any) -> Entry:
    numpy = _numpy()
    mask = numpy.ma.getmaskarray(value)
    data = numpy.array(numpy.ndarray.view(value, numpy.ndarray))
    if data.dtype.names is None:
        data[mask] = numpy.zeros((), data.dtype)
    _note(walk, numpy.ndarray.view(value, numpy.ndarray))
    pairs = [("", data), (".mask", mask), (".fill_value", value.fill_value)]
    return ["o", None, None, walk.fields(pairs)]


def _scalar(walk: Walk, value: Any) -> Entry:
    numpy = _numpy()
    kind = value.dtype.kind
    if kind == "b":
        return ["v", bool(value)]
    if kind in "iu":
        return ["I", int(value)]
    if kind == "f" and value.dtype.char != "g":
        return ["F", float(value)]
    if kind == "c" and value.dtype.char != "G":
        plain = complex(value)
        return ["complex", [plain.real, plain.imag]]
    if kind in "mM":
        return ["v", [int(value.view("i8")), value.dtype.str]]
    if kind == "U":
        return ["S", str.__str__(value)]
    if kind == "S":
        return ["bytes", snapshot_values.blob(walk, bytes(value))]
    if value.dtype.char in "gG":
        return ["v", repr(value)]
    return raw(walk, numpy.asarray(value))


def _void(walk: Walk, value: Any) -> Entry:
    return raw(walk, _numpy().asarray(value))


def _dtype(_walk: Walk, value: Any) -> Entry:
    return ["v", repr(value.descr) if value.names else f"{value.str} {value}"]


def _named(_walk: Walk, value: Any) -> Entry:
    return ["v", value.__name__]


def _generator(walk: Walk, value: Any) -> Entry:
    return ["o", None, None, walk.fields([(".bit_generator", value.bit_generator)])]


def _bits(walk: Walk, value: Any) -> Entry:
    return ["o", None, None, walk.fields([(".state", value.state)])]


def _random_state(walk: Walk, value: Any) -> Entry:
    return ["o", None, None, walk.fields([(".state", value.get_state(legacy=False))])]


def _sparse(walk: Walk, value: Any) -> Entry:
    numpy = _numpy()
    whole = value.tocoo(copy=True)
    whole.sum_duplicates()
    axes = list(getattr(whole, "coords", None) or (whole.row, whole.col))
    order = numpy.lexsort(axes[::-1])
    body = [value.format, [int(size) for size in value.shape], str(value.dtype)]
    pairs = [
        (f".coords[{at}]", numpy.asarray(axis)[order].astype("int64"))
        for at, axis in enumerate(axes)
    ]
    pairs.append((".data", numpy.asarray(whole.data)[order]))
    return ["o", body, None, walk.fields(pairs)]


def _tensor(walk: Walk, value: Any) -> Entry:
    torch = sys.modules["torch"]
    plain = value.detach()
    about = [(".device", str(plain.device)), (".requires_grad", bool(value.requires_grad))]
    if plain.layout is not torch.strided:
        whole = (
            plain.to_sparse_coo().coalesce()
            if plain.layout is not torch.sparse_coo
            else (plain.coalesce())
        )
        body = [str(plain.layout), list(plain.shape), str(plain.dtype)]
        parts = [(".indices()", whole.indices()), (".values()", whole.values())]
        return ["o", body, None, walk.fields(parts + about)]
    if plain.is_quantized or plain.is_meta or plain.is_nested:
        return snapshot_plans.opaque(value, "no plain tensor")
    if plain.device.type == "cpu" and plain.numel():
        start = plain.data_ptr()
        size = plain.element_size()
        pairs = list(zip(plain.shape, plain.stride(), strict=True))
        end = start + sum((n - 1) * step for n, step in pairs) * size + size
        walk.regions.append((walk.line, start, end, [step * size for n, step in pairs if n > 1]))
    moved = plain.cpu().resolve_conj().resolve_neg().contiguous()
    label = str(plain.dtype)
    try:
        array = moved.numpy()
    except TypeError:  # numpy has no bfloat16 and its like
        array = moved.view(torch.uint8 if moved.element_size() == 1 else torch.int16).numpy()
    _, (_, shape, code, data) = raw(walk, array)[:2]
    if label == "torch.bfloat16":
        code = "bf16"
    return ["a", [label, shape, code, data], None, walk.fields(about)]


def _jax(walk: Walk, value: Any) -> Entry:
    numpy = _numpy()
    jax = sys.modules["jax"]
    if isinstance(value, jax.core.Tracer):
        return snapshot_plans.opaque(value, "traced")
    label = str(value.dtype)
    if label.startswith("key<"):
        return ["v", label, None, walk.fields([("", numpy.asarray(jax.random.key_data(value)))])]
    entry = raw(walk, numpy.asarray(value))
    entry[1][0] = label
    if value.weak_type:
        entry += [None, [".weak_type", True]]
    # Nobody can write to it, so that sharing it means nothing.
    return ["A", *entry[1:]]


def _shown(_walk: Walk, value: Any) -> Entry:
    return ["v", str(value)]


def register() -> None:
    """Makes the walk know these types."""
    snapshot_plans.know(Unshared, _unshared, inline=False)
    library = snapshot_plans.LIBRARY
    library["numpy.ndarray"] = (_ndarray, False)
    for name in ("numpy.ma.MaskedArray", "numpy.ma.core.MaskedArray"):
        library[name] = (_masked, False)
    library["numpy.generic"] = (_scalar, True)
    library["numpy.void"] = (_void, False)
    library["numpy.object_"] = (_void, False)
    library["numpy.dtype"] = (_dtype, True)
    library["numpy.ufunc"] = (_named, True)
    library["numpy.random._generator.Generator"] = (_generator, False)
    library["numpy.random.bit_generator.BitGenerator"] = (_bits, False)
    library["numpy.random.mtrand.RandomState"] = (_random_state, False)
    library["scipy.sparse._base._spbase"] = (_sparse, False)
    library["torch.Tensor"] = (_tensor, False)
    for name in ("torch.dtype", "torch.device", "torch.layout", "torch.memory_format"):
        library[name] = (_shown, True)
    for name in (
        "jaxlib._jax.ArrayImpl",
        "jaxlib.xla_extension.ArrayImpl",
        "jax.Array",
        "jax._src.array.ArrayImpl",
    ):
        library[name] = (_jax, False)
    for name in ("jax._src.prng.PRNGKeyArray", "jax._src.random.prng.PRNGKeyArray"):
        library[name] = (_jax, False)
