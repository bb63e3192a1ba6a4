"""Compare what the service does with its OpenAPI document."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from steelyard import Comparison, ProfileReport, VerifyResult
from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests.http_server import Service, running_service

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def test_reports_have_their_derived_fields(service: Service) -> None:
    document = service.get("/openapi.json").json
    assert document["openapi"] == "3.1.0"
    schemas = document["components"]["schemas"]
    for report in (VerifyResult, ProfileReport, Comparison):
        assert set(report.derived) <= schemas[report.__name__]["properties"].keys()
    assert schemas["VerifyResult"]["properties"]["passed"]["type"] == "boolean"


def test_each_operation_has_its_problems_and_an_example(service: Service) -> None:
    document = service.get("/openapi.json").json
    for path, operations in document["paths"].items():
        for operation in operations.values():
            problem = operation["responses"]["429"]["content"]
            assert list(problem) == ["application/problem+json"], path
            assert operation["summary"], path
            for content in operation.get("requestBody", {"content": {}})["content"].values():
                kind = content["schema"].get("$ref", "").rpartition("/")[2]
                named = document["components"]["schemas"].get(kind, {})
                places = content.keys() | content["schema"].keys() | named.keys()
                assert {"example", "examples"} & places, path


def test_a_query_offers_only_what_it_can_hold(service: Service) -> None:
    document = service.get("/openapi.json").json
    for operations in document["paths"].values():
        for operation in operations.values():
            for each in operation.get("parameters", ()):
                assert "$ref" not in str(each["schema"]), each


@pytest.mark.exhaustive
def test_random_requests_get_documented_answers(tmp_path: Path) -> None:
    token, stored = new_token(
        "random",
        ("judge", "author", "admin"),
        now=datetime.now(UTC),
        requests_per_minute=1_000_000,
    )
    with open_database(tmp_path / "steelyard.sqlite3") as database, database.change() as change:
        store_token(change, stored)
    # Random programs and functions are measured for this long only.
    hooks = str(Path(__file__).with_name("lines_of_json.py"))
    # A worker ends the runs, so that the streams of their events end.
    brief = {
        "STEELYARD_SERVICE__MAX_REQUEST_S": "3",
        "STEELYARD_SERVICE__MAX_JOB_S": "3",
        "STEELYARD_SERVICE__WORKERS": "1",
    }
    with running_service(tmp_path, environment=brief) as service:
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                "run",
                f"{service.url}/openapi.json",
                "--checks",
                ",".join(CHECKS),
                "--header",
                f"Authorization: Bearer {token}",
                "--max-examples",
                "10",
                "--seed",
                "1",
                "--generation-database",
                "none",
                "--no-color",
                "--request-timeout",
                "120",
                "--suppress-health-check",
                "all",
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env={**os.environ, "SCHEMATHESIS_HOOKS": hooks},
        )
        log = service.log
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    assert "Traceback" not in log
