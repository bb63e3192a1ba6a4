import pytest

from audio.energy import energy, loudest


@pytest.fixture
def samples():
    return [(i * 7919 % 92681) - 46340 for i in range(400)]


def test_energy(samples):
    assert energy(samples) == sum(sample**2 for sample in samples)


@pytest.mark.parametrize("level", [1, 32767, -46340])
def test_constant(level):
    assert energy([level] * 100) == 100 * level * level


def test_silence():
    assert energy([]) == 0


def test_loudest():
    assert loudest([[1, 2], [46340, 0], [5]]) == 1
