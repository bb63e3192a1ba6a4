"""What a suite claims, read without running it."""

import pytest

from steelyard.authoring.pytests._suite import default_name, read_suite, suite_of_text


def fault_of(code: str) -> str:
    """Why the suite's only test does not count, whatever it does."""
    (test,) = read_suite(f"import pytest\nfrom m import f\n\n{code}\n", "test_m.py").tests
    return test.fault


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("def test_normal_x():\n    assert f([1, 2]) == 3", ""),
        ("def test_normal():\n    assert f([1, 2]) == 3", ""),
        ("def test_normal_x():\n    f([1, 2])", "asserts nothing"),
        ("def test_normal_x():\n    assert True", "asserts nothing"),
        ("def test_normal_x():\n    assert 1 + 1 == 2", "asserts nothing"),
        (
            "def test_normal_x():\n    with pytest.raises(ValueError):\n        f(1)",
            "expects an exception",
        ),
        ("def test_f():\n    assert f(1) == 2", "begins with none of"),
        ("def test_normalised():\n    assert f(1) == 2", "begins with none of"),
        ("def test_exception_x():\n    with pytest.raises(ValueError):\n        f(1)", ""),
        ("def test_exception_x():\n    pytest.raises(ValueError, f, 1)", ""),
        ("def test_exception_x():\n    assert f(1) == 2", "no pytest.raises"),
        ("def test_exception_x():\n    with pytest.raises(Exception):\n        f(1)", "any error"),
        (
            "def test_exception_x():\n    with pytest.raises((OSError, Exception)):\n        f(1)",
            "any error",
        ),
        ("def test_edge_x():\n    assert f([1, 2]) == 0", ""),
        ("def test_boundary_x():\n    assert f(50) == 5", ""),
    ],
)
def test_a_test_is_left_out_if_its_text_cannot_be_what_its_name_claims(body: str, why: str) -> None:
    fault = fault_of(body)
    assert why in fault
    assert bool(fault) == bool(why)


def test_what_a_helper_asserts_counts() -> None:
    suite = read_suite(
        "from m import f\n\ndef check(value):\n    assert f(value) == 1\n\n"
        "def test_normal_a():\n    check([3, 4])\n",
        "test_m.py",
    )
    assert [(test.fault, test.asserts) for test in suite.tests] == [("", True)]


def test_a_copy_of_a_test_does_not_count() -> None:
    one, two = read_suite(
        "def test_normal_a():\n    assert f(5) == 1\ndef test_normal_b():\n    assert f(5) == 1\n",
        "test_m.py",
    ).tests
    assert (one.fault, two.fault) == ("", "it repeats test_normal_a")


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("def test_(:", "not valid Python"),
        ("x = 1", "no test function"),
        ("def test_a():\n    pass\ndef test_a():\n    pass", "two tests have the name"),
        ("(" * 5_000, "nested"),
        ("-" * 300_000 + "1", "not valid Python"),
        (f"def test_edge_a():\n    assert f({'1+' * 2_500}1) == 1", "nested too deeply"),
    ],
)
def test_a_suite_that_cannot_be_used_has_a_fault(code: str, fault: str) -> None:
    assert fault in read_suite(code, "test_m.py").fault


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("test_m.py\nimport m\n", "test_m.py", "import m\n"),
        ("# tests/test_m.py\nimport m\n", "test_m.py", "import m\n"),
        ("\n\n`test_m.py`:\nimport m\n", "test_m.py", "import m\n"),
        ("m_test.py\nimport m\n", "m_test.py", "import m\n"),
        ("import m\n", None, "import m\n"),
        ("../../etc/passwd\nimport m\n", None, "../../etc/passwd\nimport m\n"),
        ("../../test_m.py\nimport m\n", "test_m.py", "import m\n"),
    ],
)
def test_the_first_line_names_the_file(text: str, name: str | None, rest: str) -> None:
    assert suite_of_text(text) == (name, rest)


def test_the_usual_name_of_a_file() -> None:
    assert default_name("shop.prices") == "test_prices.py"


def test_a_node_id_leads_to_its_function() -> None:
    suite = read_suite(
        "class TestA:\n    def test_edge_x(self):\n        assert f(0)\n", "test_m.py"
    )
    found = suite.test_of("test_m.py::TestA::test_edge_x[a::b-[1]]")
    assert found is not None
    assert found.category == "edge"


def test_a_large_suite_is_read_in_time() -> None:
    numbers = ", ".join(map(str, range(0, 60_000, 3)))
    rows = f"@pytest.mark.parametrize('a', [{numbers}])\n@pytest.mark.parametrize('b', [{numbers}])"
    code = f"{rows}\ndef test_boundary_x(a, b):\n    assert f([{numbers}], a, b) == 1\n"
    assert read_suite(code, "test_m.py").tests[0].category == "boundary"
