"""Language models: roles, prompts, replies, cache, replay."""

from assayer.models._model import Model
from assayer.models._request import Message, Reply, Request

__all__ = ["Message", "Model", "Reply", "Request"]
