"""The endpoints of other judges, so that their own clients run unmodified."""

from types import ModuleType

from fastapi import APIRouter

from steelyard.service.compat import _go_judge, _judge0, _piston, _sandboxfusion, _scalebox
from steelyard.settings import Peer

__all__ = ["peer_routers"]

_MODULES: dict[Peer, tuple[ModuleType, ...]] = {
    "sandboxfusion": (_sandboxfusion,),
    "scalebox": (_sandboxfusion, _scalebox),  # it is a fork
    "piston": (_piston,),
    "judge0": (_judge0,),
    "go-judge": (_go_judge,),
}


def peer_routers(peers: tuple[Peer, ...]) -> list[APIRouter]:
    """Return the routers of these peers."""
    modules = dict.fromkeys(module for peer in peers for module in _MODULES[peer])
    return [module.router for module in modules]
