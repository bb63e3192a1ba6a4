"""A runtime that enforces a heap limit of its own: to meet it is a memory limit like any other."""

import pytest

from steelyard.errors import LanguageError
from steelyard.judging import ExecutionVerifier
from steelyard.sandbox import CellPool
from steelyard.schemas import CaseResult, Limits, Verdict
from steelyard.toolchains import find_toolchain, languages


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
def test_a_full_heap_is_a_memory_limit_and_the_limit_shown_is_the_given_one(
    name: str, pool: CellPool
) -> None:
    result = judged(*PROGRAMS[name], pool, 40)

    assert (result.verdict, result.message) == (Verdict.MLE, "used more than 40 MiB")


ONE_BLOCK = {
    "c": "#include <stdio.h>\n#include <stdlib.h>\n"
    "int main(void) { volatile char *p = malloc(N);\n"
    "for (long i = 0; i < N; i += 4096) p[i] = 1;\nreturn !putchar('0' + p[4096]); }\n",
    "cpp": "#include <cstdio>\n#include <vector>\n"
    'int main() { std::vector<char> p(N, 1); std::printf("%d", p[N / 2]); }\n',
    "python": "p = bytearray(N)\nfor i in range(0, N, 4096): p[i] = 1\nprint(p[4096])\n",
    "java": "class Main { public static void main(String[] a) { long[] p = new long[N / 8];\n"
    "java.util.Arrays.fill(p, 1); System.out.println(p[1]); } }\n",
    "javascript": "console.log(new Float64Array(N / 8).fill(1)[1])\n",
    "rust": 'fn main() { let p = vec![1u8; N]; println!("{}", p[N / 2]); }\n',
}


@pytest.mark.parametrize(
    "memory_mib", [64, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (128, 256, 512))]
)
@pytest.mark.parametrize("language", ["c", "cpp", "python", "java", "javascript", "rust"])
def test_one_block_may_have_nearly_the_whole_limit(
    language: str, memory_mib: int, pool: CellPool
) -> None:
    start_mib = next(each.start_mib for each in languages() if each.language == language)
    size = int((0.95 * memory_mib - start_mib) * 1024 * 1024) // 8 * 8
    source = ONE_BLOCK[language].replace("N", str(size))
    result = judged(language, source, pool, memory_mib)
    assert (result.verdict, result.message) == (Verdict.AC, "")


def test_words_of_the_program_itself_are_no_evidence(pool: CellPool) -> None:
    body = 'System.err.println("java.lang.OutOfMemoryError: Java heap space"); System.exit(1);'
    result = judged(*java(body), pool, 64)
    assert (result.verdict, result.message) == (Verdict.RTE, "exit status 1")


def test_memory_outside_of_the_heap_counts_too(pool: CellPool) -> None:
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

    assert (result.verdict, result.message) == (Verdict.MLE, "used more than 40 MiB")


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
