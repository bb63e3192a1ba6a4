"""Tests of contracts use a package through its face: what it re-exports, and no private module."""

import re
from pathlib import Path

CONTRACT = Path(__file__).parents[1] / "contract"
PRIVATE = re.compile(r"^\s*(?:from|import) steelyard\.\w[\w.]*\._", re.MULTILINE)
ALLOWED = {
    # Next to the shapes that another release left, the tables themselves.
    "test_storage_migrations.py",
    # All routes, which no face lists.
    "test_service_owners.py",
    # A worker's own lock, and a model in memory: no face needs them.
    "raft_scenarios.py",
    "test_backup.py",
    "test_toolchains_headers.py",
    # Parts of jobs, each of which must keep its promise alone.
    "compare_projects.py",
    "test_author_evidence.py",
    "test_author_healed_challenges.py",
    "test_author_suite_evidence.py",
    "test_compare_effects.py",
    "test_compare_fair.py",
    "test_compare_honest.py",
    "test_compare_small_cases_effects.py",
    "test_compare_small_cases_timing.py",
    "test_compare_speed.py",
    "test_counting_native.py",
    "test_counting_python.py",
    "test_profile_bad_programs.py",
    "test_profile_inputs.py",
    "test_profile_instructions.py",
    "test_profile_timing.py",
    "test_sandbox_contract.py",
    "test_sandbox_machine_memory.py",
    "test_sandbox_pool.py",
    "test_sandbox_without_namespaces.py",
}


def test_no_test_of_a_contract_reaches_around_a_face() -> None:
    reaching = {
        file.name for file in CONTRACT.glob("*.py") if PRIVATE.search(file.read_text("utf-8"))
    }
    assert reaching - ALLOWED == set(), "import from the package's face, or move it to tests/unit"
