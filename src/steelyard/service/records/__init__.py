"""Offer what the database keeps: problems, suites, submissions and challenges."""

from fastapi import APIRouter

from steelyard.service.records import _challenges, _problems, _submissions, _suites

__all__ = ["routers"]


def routers() -> list[APIRouter]:
    """Return the routers of `/v1/problems`, `suites`, `submissions` and `challenges`."""
    return [_problems.router, _suites.router, _submissions.router, _challenges.router]
