"""Profiles and comparisons over HTTP, as the OpenAPI document shows them."""

import pytest

from tests.http_server import Service


@pytest.mark.parametrize(
    ("name", "faster"),
    [("judge", {}), ("strength", {}), ("profile", {"budget_s": 1}), ("compare", {"generate": 0})],
)
def test_the_example_of_each_job_without_models_is_answered(
    service: Service, file_view: None, name: str, faster: dict[str, int]
) -> None:
    schemas = service.get("/openapi.json").json["components"]["schemas"]
    [example] = schemas[f"{name.capitalize()}Request"]["examples"]
    answer = service.post(f"/v1/{name}", {**example, **faster})
    assert answer.status == 200, answer.body
    if name == "profile":
        assert answer.json["measurements"]
    if name == "compare":
        assert answer.json["behaviour"]["verdict"] == "same"


def test_a_generator_that_fails_is_the_callers(service: Service) -> None:
    body = {"program": "print(1)", "generator": "def generate(n, seed): raise ValueError"}
    assert service.post("/v1/profile", {**body, "max_n": 100}).code == "generator-error"


def test_a_function_that_the_project_lacks_is_the_callers(service: Service) -> None:
    body = {
        "program": "def total(n):\n    return n\n",
        "function": "sums:missing",
        "files": {"sums.py": "def total(n):\n    return n\n"},
    }
    assert service.post("/v1/compare", body).code == "subject-error"


def test_a_project_without_tests_is_not_named_by_the_services_folder(
    service: Service, file_view: None
) -> None:
    body = {
        "program": "def total(n):\n    return n\n",
        "function": "sums:total",
        "files": {"sums.py": "def total(n):\n    return n\n"},
    }
    answer = service.post("/v1/compare", body)
    assert answer.code == "tests-error"
    assert answer.json["detail"] == "no tests were found in the project; add some, or name others"
