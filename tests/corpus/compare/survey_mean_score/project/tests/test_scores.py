import pytest

from survey.scores import best, mean_scores


@pytest.fixture
def answers():
    return {f"q{i}": [(i * j) % 5 + 1 for j in range(1, 40)] for i in range(12)}


def test_one_for_each_question(answers):
    assert list(mean_scores(answers)) == list(answers)


def test_known():
    assert mean_scores({"a": [1, 2], "b": [5]}) == {"a": 1.5, "b": 5.0}


def test_no_questions():
    assert mean_scores({}) == {}


def test_best(answers):
    assert best({**answers, "easy": [5, 5]}) == "easy"
