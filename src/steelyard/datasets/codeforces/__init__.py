"""Fetch problems of Codeforces: by its public API and pages, or from saved pages."""

from steelyard.datasets.codeforces._fetch import CODEFORCES_URL, fetch_contest, read_pages

__all__ = ["CODEFORCES_URL", "fetch_contest", "read_pages"]
