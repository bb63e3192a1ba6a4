"""A runtime that enforces a heap limit of its own: to meet it is a memory limit like any other."""

import pytest

from steelyard.errors import LanguageError
from steelyard.judging import ExecutionVerifier
from steelyard.sandbox import CellPool
from steelyard.schemas import CaseResult, Limits, Verdict
from steelyard.toolchains import find_toolchain


def java(body: str) -> tuple[str, str]:
    return (
        "java",
        f"""
        import java.util.*;
        class Main {{
            static void grow() {{
                List<long[]> all = new ArrayList<>();
                while (true) all.add(new long[1 << 17]);
            }}
            public static void main(String[] arguments) {{ {body} }}
        }}
    """,
    )


PROGRAMS = {
    "java-main": java("grow();"),
    "java-thread": java('new Thread(null, () -> grow(), "", 1 << 26).start();'),
    "java-at-once": java("System.out.println(new long[1 << 28].length);"),
    "javascript": ("javascript", "const all = []; for (;;) all.push({at: all.length, in: [1]});"),
}


def judged(language: str, program: str, pool: CellPool, memory_mib: int) -> CaseResult:
    try:
        find_toolchain(language)
    except LanguageError as error:
        pytest.skip(str(error))
    verifier = ExecutionVerifier(language=language, pool=pool, limits=Limits(memory_mib=memory_mib))
    return verifier.verify(program, test_cases=[{"input": "", "expected": "1"}]).cases[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_full_heap_is_a_memory_limit_and_the_limit_shown_is_the_heaps(
    name: str, pool: CellPool
) -> None:
    result = judged(*PROGRAMS[name], pool, 40)

    messages = {"used more than 40 MiB of heap"}
    if name == "javascript":  # its heap may outgrow the whole process's limit between collections
        messages.add("used more than 104 MiB")
    assert result.verdict is Verdict.MLE
    assert result.message in messages


def test_the_limit_shown_is_the_one_of_the_whole_process_where_that_one_held(
    pool: CellPool,
) -> None:
    program = """
        import sun.misc.Unsafe;
        class Main {
            public static void main(String[] a) throws Exception {
                var field = Unsafe.class.getDeclaredField("theUnsafe");
                field.setAccessible(true);
                Unsafe memory = (Unsafe) field.get(null);
                while (true) memory.setMemory(memory.allocateMemory(1 << 20), 1 << 20, (byte) 1);
            }
        }
    """
    result = judged("java", program, pool, 40)

    assert (result.verdict, result.message) == (Verdict.MLE, "used more than 168 MiB")


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("try { grow(); } catch (OutOfMemoryError full) { System.out.println(1); }", Verdict.AC),
        ("throw new IllegalStateException();", Verdict.RTE),
    ],
    ids=["caught", "another-error"],
)
def test_nothing_else_is_taken_for_a_full_heap(body: str, verdict: Verdict, pool: CellPool) -> None:
    assert judged(*java(body), pool, 40).verdict is verdict
