"""Parse a model's name, such as `openai:gpt-4.1`, and find its endpoint."""

import ipaddress
import os
import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from steelyard._printable import printable
from steelyard.errors import ModelNameError, SettingsError
from steelyard.models._providers import PROVIDERS, Provider
from steelyard.settings import ModelSettings

__all__ = ["SCRIPTED", "Endpoint", "ModelName", "endpoint_of"]

SCRIPTED = "scripted"
"""The provider of models that answer from a script."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """A name `PROVIDER:MODEL`, with `@URL` after it for a server at another address."""

    provider: str
    model: str
    """The model, or the file of a scripted one."""
    base_url: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a name; `str()` gives the text back.

        Raises:
            ModelNameError: if the provider is unknown, or the model or the address is invalid.
        """
        provider, colon, rest = text.strip().partition(":")
        if not colon or not rest.strip():
            raise ModelNameError(
                f"the model's name must be PROVIDER:MODEL, got {_shown(text)}; "
                "write it like openai:gpt-4.1"
            )
        if provider == SCRIPTED:
            return cls(provider, rest)
        if provider not in PROVIDERS:
            known = ", ".join([*PROVIDERS, SCRIPTED])
            raise ModelNameError(
                f"the model's name {_shown(text)} has an unknown provider; use one of {known}"
            )
        model, at, address = re.fullmatch(
            r"(.*?)(?:(@)(https?://.*))?", rest, re.DOTALL | re.IGNORECASE
        ).groups()  # type: ignore[union-attr]  # the pattern matches any text
        if not model.strip() or not model.isprintable():
            raise ModelNameError(
                f"the model's name {_shown(text)} has no model; write it like openai:gpt-4.1"
            )
        return cls(provider, model, _address(address, _shown(text)) if at else None)

    def __str__(self) -> str:
        address = f"@{self.base_url}" if self.base_url else ""
        return f"{self.provider}:{self.model}{address}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a model's server."""

    provider: Provider
    base_url: str
    loopback: bool
    """True if it is on this machine: then no key is needed, and no proxy is used."""

    @property
    def encrypted(self) -> bool:
        """True if nobody on the network can read the requests."""
        return self.loopback or self.base_url.lower().startswith("https://")


def endpoint_of(name: ModelName, settings: ModelSettings) -> Endpoint:
    """Return a vendor's endpoint: from the name, else the settings, else the environment.

    Raises:
        SettingsError: if a setting or a variable has an invalid address.
    """
    provider = PROVIDERS[name.provider]
    variable = provider.base_url_variable
    configured = settings.base_urls.get(name.provider)
    from_environment = os.environ.get(variable, "").strip() if variable else ""
    try:
        if name.base_url:
            base_url = name.base_url
        elif configured:
            base_url = _address(configured, f"the setting models.base_urls of {name.provider}")
        elif from_environment:
            base_url = _address(from_environment, f"{variable}")
        else:
            base_url = provider.base_url
    except ModelNameError as error:
        raise SettingsError(str(error)) from None
    return Endpoint(provider, base_url, _is_loopback(base_url))


def _address(text: str, where: str) -> str:
    """Return the URL without its last slash; errors never show a password."""
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.username is not None or parts.password is not None:
        raise ModelNameError(
            "a model's address must not have a user name or a password; remove them and set "
            "OPENAI_API_KEY or ANTHROPIC_API_KEY instead"
        )
    if (
        not host
        or parts.scheme not in ("http", "https")
        or parts.query
        or parts.fragment
        or not text.isprintable()
        or " " in text
    ):
        raise ModelNameError(
            f"{where} has an invalid address; write it like http://127.0.0.1:8000/v1, "
            "without ? and #"
        )
    return text.rstrip("/")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def _shown(text: str) -> str:
    """Return a name for an error: short, and without the part before an @ in an address."""
    return repr(printable(re.sub(r"//[^/@\s]*@", "//...@", text))[:100])
