"""What a result counts, apart for each category."""

from steelyard.schemas import CaseResult, CompileResult, Verdict, VerifyResult


def result(*cases: tuple[str, Verdict]) -> VerifyResult:
    return VerifyResult(
        success=False,
        reward=0,
        details="",
        compile=CompileResult(ok=True),
        cases=tuple(
            CaseResult(name=str(index), verdict=verdict, category=category)
            for index, (category, verdict) in enumerate(cases)
        ),
    )


def test_categories_are_counted_apart_in_the_order_of_the_cases() -> None:
    counts = result(
        ("visible", Verdict.AC),
        ("hidden", Verdict.WA),
        ("visible", Verdict.AC),
        ("hidden", Verdict.AC),
        ("hidden", Verdict.SK),
    ).by_category()
    assert counts == {"visible": (2, 2), "hidden": (1, 3)}
    assert list(counts) == ["visible", "hidden"]


def test_cases_of_no_category_are_counted_under_an_empty_name() -> None:
    assert result(("", Verdict.AC), ("", Verdict.TLE)).by_category() == {"": (1, 2)}
    assert result().by_category() == {}
