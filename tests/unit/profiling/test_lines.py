"""The lines that do the work, from the counts of their blocks."""

from steelyard.profiling._counts import LineCounts, lines_with_words
from steelyard.profiling._records import CountedRun, Point
from steelyard.profiling.fitting import WorkTerm
from steelyard.schemas import Execution

SOURCE = b"int main() {\n  while (true) {\n    step();\n  }\n\n  }\n};\n)],\n"
LINES = {"a": 2, "b": 3, "c": 4, "d": 1, "e": 2, "f": 7}
TERMS = (WorkTerm("O(n^2)", 0.8, ("b", "c")), WorkTerm("O(n)", 0.2, ("a", "d", "e")))


def run(n: int, work: dict[str, int] | None) -> CountedRun:
    return CountedRun(
        point=Point(n),
        input_bytes=n,
        work=work,
        heap_bytes=None,
        rss_bytes=0,
        execution=Execution.model_construct(),
    )


def counts(*runs: CountedRun) -> LineCounts:
    return LineCounts(runs, TERMS, lines_with_words(LINES, SOURCE))


def test_a_line_of_punctuation_alone_is_no_line_of_work() -> None:
    assert lines_with_words(LINES, SOURCE) == {"a": 2, "b": 3, "d": 1, "e": 2}
    assert lines_with_words({"x": 0, "y": 99}, SOURCE) == {}


def test_lines_have_their_share_of_all_work_the_heaviest_first() -> None:
    found = counts(run(9, {"a": 1}), run(10, {"a": 150, "b": 500, "c": 300, "d": 1, "e": 49}))
    assert [(each.line, each.share, each.classes) for each in found.shares()] == [
        (3, 0.5, (("O(n^2)", 0.5),)),
        (2, 0.199, (("O(n)", 0.199),)),
    ]


def test_the_lines_of_a_class_are_ordered_by_their_sum() -> None:
    found = counts(run(10, {"a": 30, "d": 40, "e": 30, "b": 5}))
    assert found.heaviest("O(n)") == (2, 1)
    assert found.heaviest("O(n^2)") == (3,)
    assert found.heaviest("O(n!)") == ()


def test_without_counts_there_are_no_lines() -> None:
    assert counts().shares() == ()
    assert counts(run(10, None)).shares() == ()
    assert counts(run(10, None)).heaviest("O(n)") == ()
