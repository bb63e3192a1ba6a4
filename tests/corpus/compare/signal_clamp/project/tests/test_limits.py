import numpy as np
import pytest

from waves.limits import clamp


@pytest.fixture(params=["float64", "float32"])
def samples(request):
    return (np.sin(np.arange(400) / 9.0) * 3).astype(request.param)


def test_within(samples):
    result = clamp(samples, -1.0, 1.0)
    assert result.min() == -1.0
    assert result.max() == 1.0
    assert result.dtype == samples.dtype


def test_stereo(samples):
    assert clamp(samples.reshape(200, 2), 0.0, 2.0).shape == (200, 2)


def test_nan_stays():
    result = clamp(np.array([np.nan, 9.0, -9.0]), -1.0, 1.0)
    assert np.isnan(result[0])
    assert list(result[1:]) == [1.0, -1.0]


def test_given_array_stays(samples):
    before = samples.copy()
    clamp(samples, -0.5, 0.5)
    assert np.array_equal(samples, before)


def test_wrong_way_round(samples):
    with pytest.raises(ValueError):
        clamp(samples, 1.0, -1.0)
