def normalise(headers: dict[str, str]) -> dict[str, str]:
    """Lower-cases names and strips values, in place; returns the same dict."""
    return {name.lower(): value.strip() for name, value in headers.items()}
