"""Run in a cell: a function's work taken over in place, for whoever holds it already.

A built-in function is one object, which modules, default arguments and class attributes share. So
the object itself is changed: what it calls becomes one of the interpreter's own calling functions,
and what it is bound to becomes the stand-in, which they call. Its identity, name, text, calling
convention and errors stay. A function in Python gets another `__code__`.
"""

from __future__ import annotations

import ctypes
import operator
import types
from collections.abc import Callable
from typing import Any

_VARARGS, _KEYWORDS, _NOARGS, _O, _FASTCALL = 0x01, 0x02, 0x04, 0x08, 0x80
_CONVENTIONS = _VARARGS | _KEYWORDS | _NOARGS | _O | _FASTCALL
_CALLERS = {
    _NOARGS: "PyObject_CallNoArgs",
    _O: "PyObject_CallOneArg",
    _VARARGS: "PyObject_CallObject",
    _VARARGS | _KEYWORDS: "PyObject_Call",
    _FASTCALL | _KEYWORDS: "PyObject_Vectorcall",
}
"""What calls its first argument with the rest, by the convention that the rest comes in."""
_MARK = "the stand-in"
_python = ctypes.pythonapi
_immortal: list[object] = []
"""What the interpreter's memory points to from here on."""


class _Definition(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_void_p),
        ("call", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_void_p),
    )


def kept(function: Any) -> Any:
    """A copy of a built-in function, which does what the function does at this moment for good."""
    definition, _ = _pair_at(_place_of(function))
    make = _python.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    return make(definition, function.__self__, function.__module__)


def replace(function: Any, stand_in: Callable[..., object]) -> None:
    """Has a stand-in do the work of a built-in function, whoever calls it and however it is held.

    Args:
        function: A built-in function, or a built-in method bound to a class.
        stand_in: Takes what the function takes.

    Raises:
        TypeError: if the function has a calling convention that nothing here serves.
    """
    pair = _pair_at(_place_of(function))
    old = _Definition.from_address(pair[0])
    caller = _CALLERS.get(old.flags & _CONVENTIONS)
    if caller is None:
        raise TypeError(f"{function!r} is called in a way that cannot be taken over")
    call = ctypes.cast(getattr(_python, caller), ctypes.c_void_p)
    new = _Definition(old.name, call, old.flags, old.text)
    owner = function.__self__
    bound = _bound_to(owner) if isinstance(owner, type) else types.ModuleType
    kind = type("module", (bound,), {"__call__": staticmethod(stand_in)})
    target = kind() if isinstance(owner, type) else kind(function.__module__ or "builtins")
    _immortal.extend((new, target, owner, function))
    _python.Py_IncRef(ctypes.py_object(target))
    pair[:] = ctypes.addressof(new), id(target)


def reroute(function: types.FunctionType, make: Callable[[Callable[..., Any]], Any]) -> None:
    """Has a stand-in do the work of a function in Python, whoever holds it.

    Args:
        function: It has plain parameters only.
        make: Takes a function that does what the original does; gives the stand-in.
    """
    code = function.__code__
    original = types.FunctionType(
        code, function.__globals__, code.co_name, function.__defaults__, function.__closure__
    )
    stand_in = make(original)
    names = ", ".join(code.co_varnames[: code.co_argcount])
    free = code.co_freevars  # as many as before, or the function does not take the code
    text = "def around():\n"
    text += "".join(f" {name} = None\n" for name in free)
    text += f" def {code.co_name}({names}):\n"
    text += "".join(f"  {name}\n" for name in free)
    text += f"  stand_in = {_MARK!r}\n  return stand_in({names})\n"
    inner = _code_in(_code_in(compile(text, code.co_filename, "exec")))
    constants = tuple(stand_in if each == _MARK else each for each in inner.co_consts)
    function.__code__ = inner.replace(co_consts=constants, co_qualname=code.co_qualname)


def _place_of(function: Any) -> int:
    """Where a built-in function's definition and owner stand in memory."""
    at = id(function) + object.__basicsize__
    if not isinstance(function, types.BuiltinFunctionType) or (
        _pair_at(at)[1] != id(function.__self__)
    ):
        raise TypeError(f"{function!r} is not laid out as a built-in function")
    return at


def _pair_at(at: int) -> Any:
    return (ctypes.c_void_p * 2).from_address(at)


def _bound_to(owner: type) -> type:
    """What stands for a class that a method is bound to; it pickles as the class."""

    def reduce(_: object) -> object:
        return operator.getitem, ((owner,), 0)

    return type("Bound", (), {"__slots__": (), "__reduce__": reduce})


def _code_in(code: types.CodeType) -> types.CodeType:
    return next(each for each in code.co_consts if isinstance(each, types.CodeType))
