"""Language models: roles, prompts, replies, cache and replay."""

from steelyard.models._budget import Budget, Spent
from steelyard.models._cache import CachedModel, ReplyCache, default_cache_path, open_reply_cache
from steelyard.models._cache_care import (
    CacheStats,
    RoleStats,
    cache_stats,
    clear_cache,
    drop_damaged,
    rekey_cache,
)
from steelyard.models._encryption import KEY_VARIABLE, NEW_KEY_VARIABLE, Seal, key_id, read_key
from steelyard.models._names import ModelName
from steelyard.models._recorded import RecordedModel
from steelyard.models._replies import code_blocks
from steelyard.models._request import ChatTurn, Model, Reply, Request
from steelyard.models._retries import Waits
from steelyard.models._roles import Role, Temperature, TypedReply, ask
from steelyard.models._scripted import ScriptedModel
from steelyard.models._vendor import open_model

__all__ = [
    "KEY_VARIABLE",
    "NEW_KEY_VARIABLE",
    "Budget",
    "CacheStats",
    "CachedModel",
    "ChatTurn",
    "Model",
    "ModelName",
    "RecordedModel",
    "Reply",
    "ReplyCache",
    "Request",
    "Role",
    "RoleStats",
    "ScriptedModel",
    "Seal",
    "Spent",
    "Temperature",
    "TypedReply",
    "Waits",
    "ask",
    "cache_stats",
    "clear_cache",
    "code_blocks",
    "default_cache_path",
    "drop_damaged",
    "key_id",
    "open_model",
    "open_reply_cache",
    "read_key",
    "rekey_cache",
]
