"""Ranges of versions, as npm's semver reads them."""

import pytest

from steelyard.service.compat._semver import version_in, version_numbers


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ("*", True),
        ("", True),
        ("x", True),
        ("3", True),
        ("3.x", True),
        ("3.11", True),
        ("3.11.x", True),
        ("3.11.7", True),
        ("v3.11.7", True),
        ("=3.11.7", True),
        ("^3.9", True),
        ("~3.11.2", True),
        ("~3", True),
        (">=3.9 <4", True),
        (">=3.9<4", True),
        (">3.10", True),
        ("2.7 || 3", True),
        ("3.9 - 3.12", True),
        ("<=3.11", True),
        ("^3.11.7", True),
        ("2", False),
        ("3.1", False),
        ("3.11.6", False),
        ("^2.7", False),
        ("~3.10", False),
        (">3.11", False),
        ("<3.11.7", False),
        (">=3.12 || 2", False),
        ("^0.3", False),
        ("latest", False),
        ("3.11.7-beta", False),
        ("3.", False),
        (">", False),
        ("3 abc", False),
        ("*" * 1_000, False),
    ],
)
def test_ranges(selector: str, fits: bool) -> None:
    assert version_in("3.11.7", selector) is fits


def test_versions_of_compilers() -> None:
    assert version_numbers("g++ (Debian 12.2.0-14+deb12u1) 12.2.0") == "12.2.0"
    assert version_numbers("Python 3.11.7") == "3.11.7"
    assert version_numbers("go1.22 linux") == "1.22.0"
    assert version_numbers("v18") == "0.0.0"
