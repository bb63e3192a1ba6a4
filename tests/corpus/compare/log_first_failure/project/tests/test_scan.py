import pytest

from buildlog.scan import first_failure


def output(size, failing):
    lines = [f"[{i}/{size}] Building object src/part_{i}.o" for i in range(size)]
    for number in failing:
        lines[number] = f"src/part_{number}.c:{number + 10}: error: expected ';' before '}}' token"
    return lines


@pytest.mark.parametrize("first", [3, 20, 40])
def test_first(first):
    found = first_failure(output(120, [first, first + 5, 100]))
    assert found == (f"src/part_{first}.c", first + 10, "expected ';' before '}' token")


def test_fine():
    assert first_failure(output(10, [])) is None


def test_fatal():
    assert first_failure(["a.c:1: fatal error: x.h: No such file"]) == ("a.c", 1, "x.h: No such file")


def test_warnings_are_fine():
    assert first_failure(["a.c:1: warning: unused"]) is None
