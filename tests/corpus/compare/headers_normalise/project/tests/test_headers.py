from httpkit.headers import content_type, normalise

LARGE = {f"X-Field-{i}": f"  value {i} " for i in range(40)}


def test_names():
    assert normalise({"Host": "a", "ETag": "b"}) == {"host": "a", "etag": "b"}


def test_values():
    assert normalise({"A": " b c "})["a"] == "b c"


def test_large():
    result = normalise(dict(LARGE))
    assert result["x-field-7"] == "value 7"
    assert len(result) == 40


def test_empty():
    assert normalise({}) == {}


def test_content_type():
    assert content_type({"Content-Type": "text/html; charset=utf-8"}) == "text/html"
