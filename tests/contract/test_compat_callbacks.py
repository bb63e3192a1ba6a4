"""Callbacks of Judge0 reach no address of the service's own network."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.http_server import Service, running_service


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    environment = {"STEELYARD_SERVICE__CALLBACKS": "true"}
    folder: Path = tmp_path_factory.mktemp("calling")
    with running_service(folder, "--compat", "judge0", environment=environment) as running:
        yield running


def test_a_submission_may_not_call_the_service_itself(calling: Service) -> None:
    body = {"source_code": "print(1)", "language_id": 71, "callback_url": calling.url}
    answer = calling.post("/submissions", body)
    assert (answer.status, answer.json) == (422, {"callback_url": ["leads to a private address"]})
    assert calling.get("/config_info").json["enable_callbacks"] is True
