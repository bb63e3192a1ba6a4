from menus.tree import count, leaf_paths

MENU = {f"Menu {i}": {f"Group {j}": {f"Entry {k}": None for k in range(5)} for j in range(5)} for i in range(6)}


def test_paths():
    assert leaf_paths({"File": {"Open": None, "Save": {}}, "Quit": None}) == ["/File/Open", "/File/Save", "/Quit"]


def test_large():
    paths = leaf_paths(MENU)
    assert "/Menu 3/Group 2/Entry 1" in paths
    assert paths[-1] == "/Menu 5/Group 4/Entry 4"


def test_again():
    assert leaf_paths({"Help": None}) == leaf_paths({"Help": None})


def test_count():
    assert count(MENU) == 150


def test_prefix():
    assert leaf_paths({"a": None}, "/root") == ["/root/a"]
