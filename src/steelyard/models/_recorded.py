"""A model that answers from a recording of an earlier run."""

from collections import defaultdict, deque
from collections.abc import Iterable

from steelyard.errors import RecordingError
from steelyard.models._request import Model, Reply, Request


class RecordedModel:
    """A model that answers each request with the reply that an equal one got.

    A request that was made more than once gets its replies in order. Replies keep their recorded
    cost, so that a budget ends a replay at the same request as it ended the run.

    Args:
        name: The name of the recorded model, which its requests have.
        exchanges: The requests and replies, in order.
        fallback: The model for requests that are not in the recording; None raises an error.
    """

    def __init__(
        self,
        name: str,
        exchanges: Iterable[tuple[Request, Reply]],
        fallback: Model | None = None,
    ) -> None:
        self._name = name
        self._fallback = fallback
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
        """The number of recorded replies that were not requested yet."""
        return sum(map(len, self._replies.values()))

    async def complete(self, request: Request) -> Reply:
        """Return the reply that was recorded for an equal request.

        Raises:
            RecordingError: if no reply is left, and there is no other model.
            ModelError: as in the other model.
        """
        replies = self._replies.get(request.key)
        if replies:
            return replies.popleft()
        if self._fallback is not None:
            return await self._fallback.complete(request)
        raise RecordingError(
            f"the recording has no reply for the role {request.role}, attempt {request.attempt}: "
            f"{self._difference(request)}"
        )

    def _difference(self, request: Request) -> str:
        """Return how a request differs from the most similar recorded request."""
        of_role = [each for each in self._asked if each.role == request.role]
        if not of_role:
            roles = ", ".join(sorted({each.role for each in self._asked}))
            return f"it has the roles {roles or '(none)'}; give the folder of a whole run"
        fields = min((_differing(each, request) for each in of_role), key=len)
        if not fields:
            return "every recorded reply was used; replay with the version that made the run"
        return (
            f"the most similar recorded request has another {' and '.join(fields)}; "
            "replay with the version and the settings that made the run"
        )


def _differing(one: Request, other: Request) -> list[str]:
    names = (name for name in Request.model_fields if name != "affordable_tokens")
    return [name for name in names if getattr(one, name) != getattr(other, name)]
