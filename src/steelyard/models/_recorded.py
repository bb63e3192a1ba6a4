"""A model that answers from a recording of an earlier run."""

from collections import defaultdict, deque
from collections.abc import Iterable

from steelyard.errors import RecordingError
from steelyard.models._model import Model
from steelyard.models._request import Reply, Request

__all__ = ["RecordedModel"]


class RecordedModel:
    """A model that answers each request with the reply that an equal one got.

    A request that was made more than once gets its replies in their order. Replies are given as
    they were recorded, with what they cost, so that a budget ends a replay where it ended the run.

    Args:
        name: Of the model that was recorded: requests to it were made under this name.
        exchanges: What was asked and answered, in order.
        otherwise: Asked for what is not in the recording; None: that is an error.
    """

    def __init__(
        self,
        name: str,
        exchanges: Iterable[tuple[Request, Reply]],
        otherwise: Model | None = None,
    ) -> None:
        self._name = name
        self._otherwise = otherwise
        self._asked: list[Request] = []
        self._replies: defaultdict[str, deque[Reply]] = defaultdict(deque)
        for request, reply in exchanges:
            self._asked.append(request)
            self._replies[request.key].append(reply)

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    @property
    def left(self) -> int:
        """How many recorded replies nobody has asked for yet."""
        return sum(map(len, self._replies.values()))

    async def complete(self, request: Request) -> Reply:
        """The reply that was recorded for an equal request.

        Raises:
            RecordingError: where there is none, and no other model to ask.
            ModelError: as the other model does.
        """
        replies = self._replies.get(request.key)
        if replies:
            return replies.popleft()
        if self._otherwise is not None:
            return await self._otherwise.complete(request)
        raise RecordingError(
            f"the recording has no reply for the role {request.role}, attempt {request.attempt}: "
            f"{self._difference(request)}"
        )

    def _difference(self, request: Request) -> str:
        """How the request differs from the recorded one that is most like it."""
        of_role = [each for each in self._asked if each.role == request.role]
        if not of_role:
            roles = ", ".join(sorted({each.role for each in self._asked}))
            return f"it is of the roles {roles or '(none)'}; name the folder of a whole run"
        fields = min((_differing(each, request) for each in of_role), key=len)
        if not fields:
            return "all that were recorded for it have been given; the run has changed its course"
        return (
            f"the nearest request that was recorded has another {' and '.join(fields)}; "
            "replay with the version and the settings that made the run"
        )


def _differing(one: Request, other: Request) -> list[str]:
    return [name for name in Request.model_fields if getattr(one, name) != getattr(other, name)]
