"""The interface of a language model."""

from typing import Protocol

from steelyard.models._request import Reply, Request


class Model(Protocol):
    """Anything that answers requests: a vendor's model, a script, a recording, a cached model.

    Several tasks of one event loop may use an implementation at the same time.
    """

    @property
    def name(self) -> str:
        """The name that opens this model, such as `openai:gpt-4.1`."""

    async def complete(self, request: Request) -> Reply:
        """Return the reply to one request; no part of the call runs on afterwards.

        Raises:
            ModelError: if no reply came.
            SettingsError: if a key or an extra is missing.
        """
