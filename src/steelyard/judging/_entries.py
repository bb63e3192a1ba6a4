"""Check what fits an entry: its name, checker, isolation and policy."""

from dataclasses import replace
from typing import Literal, cast

from steelyard.errors import UsageError
from steelyard.judging.checkers import (
    ValueChecker,
    ValueMode,
    checker_for,
    value_checker_for,
)
from steelyard.judging.checkers._outcome import Checker
from steelyard.schemas import Entry, Policy
from steelyard.toolchains import Toolchain

CaseIsolation = Literal["per_case", "per_candidate"]
"""Whether each case has a process of its own."""

CALL_KINDS = ("function", "class", "methods")
"""The entries that are called with plain values."""


def as_entry(entry: str | Entry) -> Entry:
    """Return the entry that a caller named.

    Raises:
        UsageError: if the name is not an entry.
    """
    if isinstance(entry, Entry):
        return entry
    try:
        return Entry.parse(entry)
    except (ValueError, AttributeError) as error:
        raise UsageError(
            f"unknown entry {entry!r}; use stdio, function:NAME, class:NAME.METHOD, methods:NAME, "
            "asserts or asserts:NAME"
        ) from error


def as_policy(policy: str | Policy | None, toolchain: Toolchain) -> Policy | None:
    """Return the policy that a caller named, for a language that has one.

    Raises:
        UsageError: if the text is not a policy.
        LanguageError: for any language but Python.
    """
    if policy is None:
        return None
    toolchain.check_policy()
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str):
        raise UsageError(f"policy is {type(policy).__name__}; give its text, or a Policy")
    try:
        return Policy.parse(policy)
    except (ValueError, UsageError) as error:
        raise UsageError(
            f"policy {policy!r}: {error}; use no-imports, or modules such as math,collections"
        ) from error


def entry_checker(
    entry: Entry,
    mode: str,
    abs_tol: float | None,
    rel_tol: float | None,
    *,
    sequences_alike: bool = False,
    ignore_case: bool = False,
    one_item_lists: bool = False,
) -> Checker:
    """Return the checker for the output or values of an entry.

    Args:
        entry: How the program is entered.
        mode: One of `MATCH_MODES`, or for calls of `VALUE_MODES`; any other is refused.
        abs_tol: The largest absolute difference of numbers.
        rel_tol: The largest difference relative to the expected number.
        sequences_alike: For calls, a list equals a tuple with the same items.
        ignore_case: For printed words and lines, `A` to `Z` equal `a` to `z`.
        one_item_lists: For calls, an expected list of one item equals that item.

    Raises:
        UsageError: for a mode, a tolerance or another option that does not apply.
    """
    if entry.kind == "stdio":
        if sequences_alike or one_item_lists:
            name = "sequences_alike" if sequences_alike else "one_item_lists"
            raise UsageError(f"{name} is for calls, not for {entry}; leave it out")
        return checker_for(mode, abs_tol=abs_tol, rel_tol=rel_tol, ignore_case=ignore_case)
    if ignore_case:
        raise UsageError(f"ignore_case is for stdio, not for {entry}; leave it out")
    if entry.kind == "asserts" and (mode != "exact" or abs_tol is not None or rel_tol is not None):
        raise UsageError("assertions compare by themselves; leave match_mode and tolerances out")
    checker = value_checker_for(
        cast("ValueMode", mode), abs_tol=abs_tol, rel_tol=rel_tol, sequences_alike=sequences_alike
    )
    return replace(checker, one_item_lists=one_item_lists)


def check_entry(
    entry: Entry, toolchain: Toolchain, checker: Checker, isolation: CaseIsolation
) -> None:
    """Refuse what does not fit together.

    Raises:
        UsageError: if two arguments contradict each other.
    """
    if entry.kind != "stdio" and toolchain.harness is None:
        raise UsageError(f"entry {entry} is for Python; {toolchain.language} has stdio alone")
    if (entry.kind in CALL_KINDS) != isinstance(checker, ValueChecker) and entry.kind != "asserts":
        kind = "values" if entry.kind in CALL_KINDS else "printed output"
        raise UsageError(f"entry {entry} gives {kind}, which this checker does not compare")
    if isolation == "per_candidate" and entry.kind not in CALL_KINDS:
        raise UsageError(f"entry {entry} has a process for each case; leave per_candidate out")
