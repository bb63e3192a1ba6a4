"""The providers that are offered: their wire format, address, key and extra."""

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
    """Whose API it speaks; also the extra that brings the vendor's own client."""
    base_url: str
    base_url_variable: str | None = None
    """The environment variable that its own tools read its address from."""
    key_variable: str | None = None
    """None: it is run by the user, takes no key, and its tokens cost nothing."""


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
    """The provider's key, from the environment alone; None where there is none.

    It is read anew for each request, so that no object holds it.

    Raises:
        SettingsError: where the variable holds what no HTTP header can carry; the text never
            shows the value, nor does any error of an HTTP client that meets it.
    """
    if provider.key_variable is None:
        return None
    key = os.environ.get(provider.key_variable, "").strip()
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            f"{provider.key_variable} holds a character that no key has; copy the key anew"
        )
    return key
