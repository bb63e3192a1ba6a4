"""The request whose solutions both pass, until somebody challenges the suite with a leap year."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from steelyard.authoring import AuthorOptions
from steelyard.authoring.challenges import challenge, open_healer
from steelyard.authoring.challenges.submissions import (
    read_results,
    reference_of,
    store_results,
    submit,
)
from steelyard.authoring.pipeline import Author
from steelyard.sandbox import CellPool
from steelyard.storage import open_database

REQUEST = Path(__file__).parents[2] / "examples" / "requests" / "month-days"


@pytest.fixture(scope="module")
def results(pool: CellPool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the request."""
    script = f"scripted:{REQUEST / 'replies.json'}"
    options = AuthorOptions.of(
        writer=script,
        solver=script,
        checker=script,
        cases=4,
        mutants=8,
        pool=pool,
    )
    out = tmp_path_factory.mktemp("results") / "month-days"
    report = Author(options, caching=False).author((REQUEST / "request.txt").read_text(), out=out)
    assert report.passed, report
    assert report.suite is not None
    assert {case.trust for case in report.suite.cases} == {"trusted"}
    return out


@pytest.mark.parametrize("healed", [True, False])
def test_a_challenge_that_is_accepted(
    results: Path, pool: CellPool, tmp_path: Path, empty_database: Path, *, healed: bool
) -> None:
    given = json.loads((REQUEST / "challenge.json").read_text())
    file = tmp_path / "problems.sqlite3"
    file.write_bytes(empty_database.read_bytes())
    with open_database(file) as database:
        store_results(database, read_results(results, "month-days"), pool=pool)
        wrong = (REQUEST / "optimised.py").read_bytes()
        assert submit(database, "month-days", wrong, by="ann", pool=pool).passed
        script = f"scripted:{REQUEST / 'replies.json'}"
        with open_healer(script) if healed else nullcontext() as healer:
            report = challenge(
                database,
                "month-days",
                given["input"],
                reason=given["reason"],
                by="ann",
                claim=(given["output"],),
                healer=healer,
                pool=pool,
            )
        assert report.passed
        assert report.cases_changed == 0
        assert [(each.passed_before, each.passed) for each in report.rejudged] == [(True, False)]
        with database.read() as reader:
            reference = reference_of(reader.solutions("month-days"))
            assert reference is not None
            file = "repaired.py" if healed else "brute_force.py"
            assert reference.source == (REQUEST / file).read_text()
            newest = reader.suite_of("month-days").cases[-1]
            assert (newest.origin, newest.expected) == ("challenge 1", 29)
