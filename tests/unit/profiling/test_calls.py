"""A library's work belongs to the nearest line of the program that calls for it, or to none."""

from steelyard.profiling.counting._native import calling_lines

HEADER = "/usr/include/c++/12/bits/stl_algo.h:100:5"


def graph(*edges: tuple[str, str, str]) -> bytes:
    lines = (
        f'edge: {{ sourcename: "{caller}" targetname: "{called}" label: "{place}" }}'
        for caller, called, place in edges
    )
    return "\n".join(['graph: { title: "main.cpp"', *lines, "}"]).encode()


def test_a_call_through_others_has_the_line_of_the_first() -> None:
    edges = graph(
        ("main", "main.cpp:sort", "main.cpp:14:5"),
        ("main.cpp:sort", "main.cpp:loop", HEADER),
        ("main.cpp:loop", "main.cpp:loop", HEADER),
    )
    assert calling_lines(edges, "main.cpp") == {"sort": 14, "loop": 14}


def test_the_nearest_of_two_lines_counts() -> None:
    edges = graph(
        ("main", "sort", "main.cpp:14:5"),
        ("sort", "loop", HEADER),
        ("loop", "heap", HEADER),
        ("main", "pop", "main.cpp:20:5"),
        ("pop", "heap", HEADER),
    )
    assert calling_lines(edges, "main.cpp")["heap"] == 20


def test_two_lines_equally_near_are_none() -> None:
    edges = graph(
        ("main", "sort", "main.cpp:14:5"),
        ("main", "sort", "main.cpp:20:5"),
        ("sort", "loop", HEADER),
    )
    assert calling_lines(edges, "main.cpp") == {}


def test_constructors_have_the_name_that_counters_have() -> None:
    edges = graph(("main", "_ZNSt6vectorIiSaIiEEC1EmRKS0_", "main.cpp:4:33"))
    assert calling_lines(edges, "main.cpp") == {"_ZNSt6vectorIiSaIiEEC2EmRKS0_": 4}


def test_bytes_that_are_no_graph_tell_nothing() -> None:
    assert calling_lines(b"\xff\x00edge: { \n" * 1_000, "main.cpp") == {}
