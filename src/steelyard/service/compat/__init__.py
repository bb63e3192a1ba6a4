"""The endpoints of other judges, so that their own clients run unmodified."""

from fastapi import APIRouter

from steelyard.service.compat import _go_judge, _judge0, _piston, _sandboxfusion
from steelyard.settings import Peer

__all__ = ["peer_routers"]

_ROUTERS: dict[Peer, APIRouter] = {
    "sandboxfusion": _sandboxfusion.router,
    "scalebox": _sandboxfusion.scalebox_router,
    "piston": _piston.router,
    "judge0": _judge0.router,
    "go-judge": _go_judge.router,
}
_FORKS: dict[Peer, Peer] = {"scalebox": "sandboxfusion"}
"""Peers that have the endpoints of another one too."""


def peer_routers(peers: tuple[Peer, ...]) -> list[APIRouter]:
    """Return the routers of these peers."""
    names = dict.fromkeys(name for peer in peers for name in (_FORKS.get(peer, peer), peer))
    return [_ROUTERS[name] for name in names]
