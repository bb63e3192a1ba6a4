"""Profiles and comparisons over HTTP."""

from tests.http_server import Service


def test_a_profile(service: Service) -> None:
    body = {
        "program": "n = int(input())\nprint(sum(i for i in range(n)))\n",
        "generator": "def generate(n, seed):\n    return f'{n}\\n'\n",
        "language": "python",
        "max_n": 20_000,
        "budget_s": 1,
    }
    answer = service.post("/v1/profile", body)
    assert answer.status == 200, answer.body
    assert answer.json["measurements"]


def test_a_generator_that_fails_is_the_callers(service: Service) -> None:
    body = {"program": "print(1)", "generator": "def generate(n, seed): raise ValueError"}
    assert service.post("/v1/profile", {**body, "max_n": 100}).code == "generator-error"


def test_a_comparison(service: Service, file_view: None) -> None:
    body = {
        "program": "def total(n):\n    return sum(range(1, n + 1))\n",
        "function": "sums:total",
        "generate": 0,
        "files": {
            "sums.py": "def total(n):\n    return sum(range(n + 1))\n",
            "test_sums.py": "from sums import total\n"
            "def test_total():\n"
            "    for n in (0, 1, 10, 1000):\n"
            "        assert total(n) == n * (n + 1) // 2\n",
        },
    }
    answer = service.post("/v1/compare", body)
    assert answer.status == 200, answer.body
    assert answer.json["behaviour"]["verdict"] == "same"
    body["function"] = "sums:missing"
    assert service.post("/v1/compare", body).code == "subject-error"
