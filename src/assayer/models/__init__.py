"""Language models: roles, prompts, replies, cache, replay."""

from assayer.models._ask import Answer, ask
from assayer.models._budget import Budget, Spent
from assayer.models._cache import ReplyCache, default_cache_path, open_reply_cache
from assayer.models._cache_care import (
    CacheStats,
    RoleStats,
    cache_stats,
    clear_cache,
    drop_damaged,
    rekey_cache,
)
from assayer.models._cached_model import CachedModel
from assayer.models._encryption import KEY_VARIABLE, NEW_KEY_VARIABLE, key_id, read_key
from assayer.models._model import Model
from assayer.models._names import ModelName
from assayer.models._open import open_model
from assayer.models._recorded import RecordedModel
from assayer.models._request import Message, Reply, Request
from assayer.models._retries import Waits
from assayer.models._role import Role, Temperature
from assayer.models._scripted import ScriptedModel

__all__ = [
    "KEY_VARIABLE",
    "NEW_KEY_VARIABLE",
    "Answer",
    "Budget",
    "CacheStats",
    "CachedModel",
    "Message",
    "Model",
    "ModelName",
    "RecordedModel",
    "Reply",
    "ReplyCache",
    "Request",
    "Role",
    "RoleStats",
    "ScriptedModel",
    "Spent",
    "Temperature",
    "Waits",
    "ask",
    "cache_stats",
    "clear_cache",
    "default_cache_path",
    "drop_damaged",
    "key_id",
    "open_model",
    "open_reply_cache",
    "read_key",
    "rekey_cache",
]
