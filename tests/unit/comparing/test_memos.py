"""Data that only a function reads is told from data that others see."""

import pytest

from steelyard.comparing.decision._memos import Memos

HEAD = "_seen = {}\nSEEN_CACHE = {}\nSEEN = []\nclass Meter:\n    _sums = {}\n"
OWN = "def square(n):\n    if n not in _seen:\n        _seen[n] = n\n    return _seen[n]\n"
GET = "def _get(n):\n    return _seen.get(n)\n"
SET = "def square(n):\n    _seen[n] = n\n    return n\n"


@pytest.mark.parametrize(
    ("name", "module", "other", "is_memo"),
    [
        ("shop.goods._seen", OWN, "", True),
        ("shop.goods.SEEN", OWN.replace("_seen", "SEEN"), "", False),
        ("shop.goods.SEEN_CACHE", OWN.replace("_seen", "SEEN_CACHE"), "", True),
        ("shop.goods._seen", OWN, "import shop.goods\nshop.goods._seen.clear()\n", True),
        ("shop.goods._seen", OWN, "import shop.goods\nprint(shop.goods._seen)\n", False),
        ("shop.goods._seen", OWN, "from shop.goods import _seen\n", False),
        ("shop.goods._seen", OWN + "def all_seen():\n    return list(_seen)\n", "", False),
        ("shop.goods._seen", OWN + "def forget():\n    _seen.clear()\n", "", True),
        (
            "shop.goods._seen",
            f"{GET}def square(n):\n    _seen[n] = n\n    return _get(n)\n",
            "",
            True,
        ),
        (
            "shop.goods._seen",
            f"{GET}{SET}def look(n):\n    return _get(n)\n",
            "",
            False,
        ),
        (
            "shop.goods.Meter._sums",
            "def square(n):\n    return Meter._sums.setdefault(n, n)\n",
            "",
            True,
        ),
    ],
)
def test_who_reads_it_decides(name: str, module: str, other: str, is_memo: bool) -> None:
    sources = [("src/shop/goods.py", HEAD + module), ("src/shop/other.py", other)]
    assert Memos("square", lambda: sources).holds(name) is is_memo
