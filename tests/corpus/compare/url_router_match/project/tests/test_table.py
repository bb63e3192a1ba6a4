import pytest

from routes.table import Router


@pytest.fixture
def router():
    made = Router()
    for name in ("users", "posts", "tags", "files", "teams", "invoices", "tickets", "alerts"):
        made.add(f"/{name}", f"list_{name}")
        made.add(f"/{name}/{{id}}", f"get_{name}")
        made.add(f"/{name}/{{id}}/history/{{page}}", f"history_{name}")
    made.add("/", "home")
    return made


@pytest.mark.parametrize(
    "path, answer",
    [
        ("/users", ("list_users", {})),
        ("/tags/python/", ("get_tags", {"id": "python"})),
        ("/alerts/7/history/2", ("history_alerts", {"id": "7", "page": "2"})),
        ("/", ("home", {})),
        ("/teams/7/nothing", None),
    ],
)
def test_match(router, path, answer):
    assert router.match(path) == answer


def test_first_wins(router):
    router.add("/users/{name}", "other")
    assert router.match("/users/kim") == ("get_users", {"id": "kim"})


def test_no_routes():
    assert Router().match("/users") is None
