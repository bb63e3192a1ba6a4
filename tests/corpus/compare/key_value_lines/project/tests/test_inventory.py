import pytest

from hosts.inventory import host, variables

LONG = "db1 " + " ".join(f"option_{i}=value-{i}" for i in range(60))


def test_long():
    assert variables(LONG)["option_59"] == "value-59"


@pytest.mark.parametrize(
    "line, found",
    [("web1", {}), ("web1 port=22 user=deploy", {"port": "22", "user": "deploy"}), ("w a=b=c", {"a": "b=c"})],
)
def test_short(line, found):
    assert variables(line) == found


def test_last_wins():
    assert variables(LONG + " option_1=x")["option_1"] == "x"


def test_host():
    assert host(LONG) == "db1"
