"""What the project asks of a language model."""

from typing import Protocol

from steelyard.models._request import Reply, Request

__all__ = ["Model"]


class Model(Protocol):
    """Anything that answers requests: a vendor's model, a script, a recording, a cache before one.

    An implementation may be used by several tasks of one event loop at a time.
    """

    @property
    def name(self) -> str:
        """The name that opens this model, such as `openai:gpt-4.1`."""

    async def complete(self, request: Request) -> Reply:
        """The reply to one request; nothing of the call is left running after it ends.

        Raises:
            ModelError: where no reply could be had.
            SettingsError: where a key or an extra is missing.
        """
