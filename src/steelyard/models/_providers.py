"""The supported providers: their wire format, address, key and extra."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


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
    """The environment variable of its key; None if users run the server, for nothing."""


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
