"""Parse a model's name, such as `openai:gpt-4.1`, and find its endpoint and its key.

A key belongs to one address:

1. `[models.NAME]` in the settings names an address and the variable of its key. The key is sent to
   that address, by whichever name a model has it.
2. OPENAI_API_KEY and ANTHROPIC_API_KEY are for the vendor's own hosts, and for the address that
   OPENAI_BASE_URL or ANTHROPIC_BASE_URL in the same environment names.
3. No other address gets a key, nor anything else that a vendor's library reads from the
   environment.
"""

import ipaddress
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self
from urllib.parse import urlsplit

from steelyard._printable import printable
from steelyard.errors import ModelNameError, SettingsError
from steelyard.settings import ModelEndpoint, ModelPrice, ModelSettings

SCRIPTED = "scripted"
"""The provider of models that answer from a script."""
_PROVIDER = re.compile("[a-z][a-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class ModelName:
    """A name `PROVIDER:MODEL`, with `@URL` after it for a server at another address."""

    provider: str
    """A provider, or an endpoint `[models.NAME]` of the settings."""
    model: str
    """The model, or the file of a scripted one."""
    base_url: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a name; `str()` gives the text back.

        Raises:
            ModelNameError: if the provider, the model or the address is invalid.
        """
        provider, colon, rest = text.strip().partition(":")
        if not colon or not rest.strip():
            raise ModelNameError(
                f"the model's name must be PROVIDER:MODEL, got {_shown(text)}; "
                "write it like openai:gpt-4.1"
            )
        if provider == SCRIPTED:
            return cls(provider, rest)
        if not _PROVIDER.fullmatch(provider):
            raise _unknown_provider(_shown(text), ())
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


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a model's server, and what belongs to it."""

    provider: Provider
    base_url: str
    key_variable: str | None
    """The environment variable with the key for this address; None sends no key."""
    is_vendor: bool
    """True if the environment of the vendor's library is for this address."""
    context: int | None
    """Tokens that a request and its reply may have together; None if unknown."""
    price: ModelPrice | None
    """The price of its models, if the settings have one."""

    @property
    def loopback(self) -> bool:
        """True if it is on this machine: then no key is needed, and no proxy is used."""
        return _is_loopback(self.base_url)

    @property
    def encrypted(self) -> bool:
        """True if nobody on the network can read the requests."""
        return self.loopback or self.base_url.lower().startswith("https://")


def endpoint_of(name: ModelName, settings: ModelSettings) -> Endpoint:
    """Return a model's endpoint: from its name, else the settings, else the environment.

    Raises:
        ModelNameError: if its provider is unknown.
        SettingsError: if a setting or a variable has an invalid address.
    """
    urls = {
        each: _stated_url(table.url, f"the setting {_of(each)}")
        for each, table in settings.endpoints.items()
    }
    provider = PROVIDERS.get(name.provider)
    if provider is None:
        if name.provider not in urls:
            raise _unknown_provider(_shown(str(name)), settings.endpoints)
        provider = Provider(name.provider, "openai", urls[name.provider])
    variable = provider.base_url_variable or ""
    from_environment = _stated_url(os.environ.get(variable, "").strip(), variable)
    base_url = name.base_url or urls.get(provider.name) or from_environment or provider.base_url
    if not base_url:
        raise SettingsError(
            f"the endpoint {provider.name} has no address; set {_of(provider.name)}"
        )
    owners = [each for each, url in urls.items() if url and _parts(url) == _parts(base_url)]
    if not name.base_url and provider.name in settings.endpoints:
        owners = [provider.name]
    own = settings.endpoints[owners[0]] if owners else ModelEndpoint()
    host, vendor = (urlsplit(each).hostname or "" for each in (base_url, provider.base_url))
    is_vendor = provider.key_variable is not None and (
        base_url in (from_environment, provider.base_url)
        or host == vendor
        or host.endswith(f".{vendor}")  # as of its regions
    )
    return Endpoint(
        provider=provider,
        base_url=base_url,
        key_variable=own.key_variable or (provider.key_variable if is_vendor else None),
        is_vendor=is_vendor,
        context=own.context,
        price=own.price,
    )


def endpoint_key(endpoint: Endpoint) -> str | None:
    """Return the key for the endpoint; None if it has none.

    It is read for each request, so that no object holds it.

    Raises:
        SettingsError: if the key is missing, if it would be sent unencrypted, or if it is not a
            valid HTTP header; the message never shows it.
    """
    variable = endpoint.key_variable
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key and endpoint.loopback:
        return None
    if not key:
        raise SettingsError(
            f"{endpoint.provider.name} models need a key; set the environment variable {variable}"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(f"{variable} has a character that no key can have; copy the key again")
    if not endpoint.encrypted:
        raise SettingsError(
            f"{variable} would be sent unencrypted to {endpoint.base_url}; use https, or an "
            "endpoint without a key_variable"
        )
    return key


def _stated_url(url: str | None, where: str) -> str:
    try:
        return _address(url, where) if url else ""
    except ModelNameError as error:
        raise SettingsError(str(error)) from None


def _of(endpoint: str) -> str:
    return f"models.{endpoint}.url"


def _unknown_provider(shown: str, endpoints: Iterable[str]) -> ModelNameError:
    known = ", ".join(dict.fromkeys([*PROVIDERS, *endpoints, SCRIPTED]))
    return ModelNameError(
        f"the model's name {shown} has an unknown provider; use one of {known}, or set the "
        "address of yours: [models.NAME] in the settings"
    )


def _parts(url: str) -> tuple[str, str, int, str]:
    """Return what two equal addresses have in common, however they are written."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return parts.scheme, parts.hostname or "", port, parts.path.rstrip("/")


def _address(text: str, where: str) -> str:
    """Return the URL without its last slash; errors never show a password."""
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.username is not None or parts.password is not None:
        raise ModelNameError(
            "a model's address must not have a user name or a password; remove them, and set the "
            "address and the variable of its key in the settings: [models.NAME]"
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
