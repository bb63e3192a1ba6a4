"""The search for large inputs ends if there are only a few of them."""

import pytest

from steelyard.inputs import inputs_of
from steelyard.inputs._workshop import Workshop
from tests.unit.inputs.input_specs import specification


@pytest.mark.parametrize(
    ("parameters", "constraints", "inputs"),
    [
        ("n: int", ["0 <= n <= 100"], 1),
        ("n: int; k: int", ["0 <= n <= 100", "0 <= k <= 1"], 2),
        ("s: str", ["0 <= len(s) <= 100", "s[i] == 'a'"], 1),
        ("nums: list[int]", ["1 <= len(nums) <= 50", "is_permutation(nums)", "is_sorted(nums)"], 1),
        # none is valid as it is built: repair has its turn
        ("n: int; m: int", ["0 <= n <= 100", "0 <= m <= 10**9", "m * m == n + 6"], 0),
    ],
)
def test_all_inputs_of_a_size_are_found_with_little_work(
    parameters: str, constraints: list[str], inputs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = specification(parameters, constraints, [])
    checks = 0
    check = Workshop.is_valid

    def counted(shop: Workshop, args: list[object]) -> bool:
        nonlocal checks
        checks += 1
        if checks > 2_000:
            pytest.fail("duplicates are made again and again")
        return check(shop, args)

    monkeypatch.setattr(Workshop, "is_valid", counted)
    assert len([*inputs_of(spec).large(50)]) == inputs
