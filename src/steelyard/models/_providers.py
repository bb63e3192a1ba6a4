"""The supported providers: their wire format, address, key and extra."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from steelyard.errors import SettingsError

__all__ = ["PROVIDERS", "Provider", "provider_key"]


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider of language models."""

    name: str
    wire: Literal["openai", "anthropic"]
    """The vendor of its API; also the extra with that vendor's client."""
    base_url: str
    base_url_variable: str | None = None
    """The environment variable from which its own tools read its address."""
    key_variable: str | None = None
    """None: the user runs the provider, it needs no key, and its tokens cost nothing."""


PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            "openai", "openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY"
        ),
        Provider(
            "anthropic",
            "anthropic",
            "https://api.anthropic.com",
            "ANTHROPIC_BASE_URL",
            "ANTHROPIC_API_KEY",
        ),
        Provider("ollama", "openai", "http://localhost:11434/v1", "OLLAMA_BASE_URL"),
        Provider("vllm", "openai", "http://localhost:8000/v1"),
    )
}


def provider_key(provider: Provider) -> str | None:
    """Return the provider's key from the environment; None if it is not set.

    It is read for each request, so that no object holds it.

    Raises:
        SettingsError: if the variable's value is not a valid HTTP header; the message never shows
            the value, and no HTTP client gets it.
    """
    if provider.key_variable is None:
        return None
    key = os.environ.get(provider.key_variable, "").strip()
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            f"{provider.key_variable} has a character that no key can have; copy the key again"
        )
    return key
