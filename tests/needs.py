"""Skip tests whose packages are not installed, without an import: each worker collects all tests.

pytestmark = needs("openai", "anthropic")
"""

from importlib.util import find_spec

import pytest


def needs(*packages: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test unless all these packages are installed."""
    missing = [each for each in packages if find_spec(each) is None]
    reason = f"not installed: {', '.join(missing)}; `make setup` installs them"
    return pytest.mark.skipif(bool(missing), reason=reason)
