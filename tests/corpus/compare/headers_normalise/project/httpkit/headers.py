"""HTTP headers."""


def canonical(name: str) -> str:
    return "-".join([part.lower() for part in name.split("-")])


def normalise(headers: dict[str, str]) -> dict[str, str]:
    """Lower-cases names and strips values, in place; returns the same dict."""
    for name in list(headers):
        value = headers.pop(name)
        key = canonical(name)
        cleaned = value.strip()
        headers[key] = cleaned
    return headers


def content_type(headers: dict[str, str]) -> str:
    return normalise(headers).get("content-type", "text/plain").partition(";")[0]
