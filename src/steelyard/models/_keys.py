"""Read the key of an endpoint from the environment."""

import os

from steelyard.errors import SettingsError
from steelyard.models._names import Endpoint


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
