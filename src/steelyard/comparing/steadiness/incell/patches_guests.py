"""Run in a cell: packages that are patched when they come, or that patch the clocks themselves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Protocol


class Layer(Protocol):
    """A patch that can be taken away for a moment."""

    def lift(self) -> None:
        """Takes it away."""

    def lay(self) -> None:
        """Puts it back."""


class _Travel:
    is_patched = False


def travels() -> bool:
    """Whether `time_machine` has set the clocks, which are its to tell then."""
    if not _Travel.is_patched:
        return False
    # Until version 3 its patches stay, and do nothing without coordinates.
    return bool(getattr(sys.modules.get("time_machine"), "coordinates_stack", True))


def let_patch(layers: Sequence[Layer]) -> None:
    """Has `time_machine` find the real functions when it puts its own in their places.

    It changes what a built-in function calls, as we do: so it has to lie under our patches.
    """
    machine: Any = sys.modules["_time_machine"]
    for name in ("patch", "unpatch", "patch_if_needed"):
        if hasattr(machine, name):
            setattr(machine, name, _noting(name, _without(layers, getattr(machine, name))))


def on_import(layers: Sequence[Layer], modules: dict[str, Callable[[], None]]) -> None:
    """Calls a function when a module of its name has been imported.

    Args:
        layers: Are away while the module runs.
        modules: The functions, by the module's name.
    """
    sys.meta_path.insert(0, _Finder(layers, modules))


class _Finder:
    """Has the other finders find, and does something about it when the module has run."""

    def __init__(self, layers: Sequence[Layer], modules: dict[str, Callable[[], None]]) -> None:
        self._layers = layers
        self._modules = modules

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a module that is waited for."""
        if name not in self._modules:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = None
            if finder is not self and find is not None:
                spec = find(name, path, target)
            if spec is not None:
                self._attend(spec)
                return spec
        return None

    def _attend(self, spec: ModuleSpec) -> None:
        loader: Any = spec.loader
        run = getattr(loader, "exec_module", None)
        if run is None:
            return

        def run_and_tell(module: ModuleType) -> None:
            vars(loader).pop("exec_module", None)
            _without(self._layers, run)(module)
            self._modules.pop(spec.name, lambda: None)()

        loader.exec_module = run_and_tell


def _noting(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def called(*given: Any) -> Any:
        value = call(*given)
        _Travel.is_patched = name != "unpatch"
        return value

    return called


def _without(layers: Sequence[Layer], call: Callable[..., Any]) -> Callable[..., Any]:
    def called(*given: Any) -> Any:
        for layer in layers:
            layer.lift()
        try:
            return call(*given)
        finally:
            for layer in layers:
                layer.lay()

    return called
