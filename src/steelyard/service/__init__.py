"""Everything that the command line does, over HTTP. It needs the extra `service`."""

from steelyard.service._app import create_app
from steelyard.service._auth import Caller, allow, caller_of
from steelyard.service._body import new_router
from steelyard.service._error_responses import Problem
from steelyard.service._server import Address, serve
from steelyard.service._state import Services, services_of
from steelyard.service._tokens import new_token

__all__ = [
    "Address",
    "Caller",
    "Problem",
    "Services",
    "allow",
    "caller_of",
    "create_app",
    "new_router",
    "new_token",
    "serve",
    "services_of",
]
