import pytest

from settings.loader import Settings

LARGE = "\n".join(f"APP_OPTION_{i} = value {i}  # number {i}" for i in range(100))


def test_large():
    settings = Settings.from_text(LARGE)
    assert settings.get("APP_OPTION_42") == "value 42"
    assert len(settings.values) == 100


def test_comments_and_blanks():
    assert Settings.from_text("\n# all off\n\nA=1 # one\n\n").values == {"A": "1"}


def test_later_wins():
    assert Settings.from_text("A=1\nB=2\nA=3").values == {"A": "3", "B": "2"}


def test_equals_in_value():
    assert Settings.from_text("URL = a=b=c").get("URL") == "a=b=c"


def test_bad_line():
    with pytest.raises(ValueError, match="not a setting: oops"):
        Settings.from_text("A=1\noops\nB=2")


def test_empty():
    assert Settings.from_text("").values == {}
