"""A model's name, such as `openai:gpt-4.1`, and where it leads."""

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
"""Before the file of a model that answers from a script."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """`PROVIDER:MODEL`, with `@URL` after it where the provider is reached elsewhere."""

    provider: str
    model: str
    """The model, or the file of a scripted one."""
    base_url: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """The name in parts; `str()` gives the text back.

        Raises:
            ModelNameError: where it names no provider that is offered, no model, or no address.
        """
        provider, colon, rest = text.strip().partition(":")
        if not colon or not rest.strip():
            raise ModelNameError(
                f"the model's name {_shown(text)} is not PROVIDER:MODEL; "
                "write it as in openai:gpt-4.1"
            )
        if provider == SCRIPTED:
            return cls(provider, rest)
        if provider not in PROVIDERS:
            offered = ", ".join([*PROVIDERS, SCRIPTED])
            raise ModelNameError(
                f"the model's name {_shown(text)} names no provider that is offered; "
                f"use one of {offered}"
            )
        model, at, address = re.fullmatch(
            r"(.*?)(?:(@)(https?://.*))?", rest, re.DOTALL | re.IGNORECASE
        ).groups()  # type: ignore[union-attr]  # the pattern matches any text
        if not model.strip() or not model.isprintable():
            raise ModelNameError(
                f"the model's name {_shown(text)} names no model; write it as in openai:gpt-4.1"
            )
        return cls(provider, model, _address(address, _shown(text)) if at else None)

    def __str__(self) -> str:
        address = f"@{self.base_url}" if self.base_url else ""
        return f"{self.provider}:{self.model}{address}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is reached."""

    provider: Provider
    base_url: str
    loopback: bool
    """It is on this machine: no key is needed, and no proxy is asked."""

    @property
    def encrypted(self) -> bool:
        """Nobody on the way can read what is sent."""
        return self.loopback or self.base_url.lower().startswith("https://")


def endpoint_of(name: ModelName, settings: ModelSettings) -> Endpoint:
    """Where a vendor's model is reached: the name goes first, then settings, then the environment.

    Raises:
        SettingsError: where a setting or a variable holds no address.
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
    """The URL without its last slash; never echoed where it holds a password."""
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.username is not None or parts.password is not None:
        raise ModelNameError(
            "a model's address holds a user's name or a password; "
            "leave it out: keys are read from OPENAI_API_KEY and ANTHROPIC_API_KEY"
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
            f"{where} holds no address; write it as in http://127.0.0.1:8000/v1, "
            "with neither ? nor #"
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
    """A name for an error's text: short, and without what stands before an @ in an address."""
    return repr(printable(re.sub(r"//[^/@\s]*@", "//...@", text))[:100])
