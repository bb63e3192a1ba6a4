"""A checker in any language rejects by its exit status; where it crashes, there is no verdict."""

from functools import cache

import pytest

from steelyard.errors import CheckerError, LanguageError
from steelyard.judging import ProgramChecker
from steelyard.sandbox import CellPool
from steelyard.schemas import TestCase
from steelyard.toolchains import Artifact, CompileCache, find_toolchain
from tests.hostile.arena import pool_without_forks

# Each reads the output and does what it says: `0` and `1` are exit statuses, the rest crashes.
CHECKERS = {
    "python": """
import sys, threading
said = open(sys.argv[2]).read()
if said == "thread":
    thread = threading.Thread(target=int, args=(said,))
    thread.start()
    thread.join()
    sys.exit(0)
if said == "assert":
    assert not said
if said == "message":
    sys.exit("wrong answer by a message")
sys.exit(int(said))
""",
    "javascript": """
const said = require("fs").readFileSync(process.argv[3], "utf8");
if (said === "promise") Promise.reject(new Error("late"));
else if (said === "timer") setTimeout(() => null.x, 1);
else if (!/^[0-9]+$/.test(said)) throw new Error("no number");
else process.exit(Number(said));
""",
    "java": """
import java.nio.file.*;
class Check {
    static class Late extends Thread { public void run() { throw new IllegalStateException(); } }
    public static void main(String[] args) throws Exception {
        String said = new String(Files.readAllBytes(Paths.get(args[1])));
        if (said.equals("thread")) { Late late = new Late(); late.start(); late.join(); return; }
        System.exit(Integer.parseInt(said));
    }
}
""",
    "go": """
package main
import ("os"; "strconv")
func main() {
	said, _ := os.ReadFile(os.Args[2])
	status, err := strconv.Atoi(string(said))
	if err != nil { panic(err) }
	os.Exit(status)
}
""",
    "rust": """
fn main() {
    let said = std::fs::read_to_string(std::env::args().nth(2).unwrap()).unwrap();
    std::process::exit(said.parse().unwrap());
}
""",
    "cpp": """
#include <fstream>
#include <string>
int main(int, char **argv) {
    std::string said;
    std::ifstream(argv[2]) >> said;
    return std::stoi(said);
}
""",
}
CRASHES = [
    *((language, "x") for language in CHECKERS),
    ("python", "thread"),
    ("python", "assert"),
    ("javascript", "promise"),
    ("javascript", "timer"),
    ("java", "thread"),
]


@pytest.fixture(scope="module", params=["forked", "started"])
def cells(request: pytest.FixtureRequest, pool: CellPool):
    """A pool whose cells may have a fork server, and one whose cells have none."""
    if request.param == "forked":
        yield pool
        return
    with pool_without_forks() as cells:
        yield cells


@cache
def built(language: str, pool: CellPool, cache: CompileCache) -> Artifact:
    try:
        toolchain = find_toolchain(language)
    except LanguageError as error:
        pytest.skip(str(error))
    compilation = toolchain.compile(CHECKERS[language].encode(), pool, cache=cache)
    assert compilation.artifact, compilation.result
    return compilation.artifact


def passes(language: str, said: str, cells: CellPool, pool: CellPool, cache: CompileCache) -> bool:
    checker = ProgramChecker(built(language, pool, cache), cells)
    return checker.check(TestCase(name="one", input="", expected=""), said.encode()).passed


@pytest.mark.parametrize("language", CHECKERS)
def test_a_status_is_the_checkers_word(
    language: str, cells: CellPool, pool: CellPool, compile_cache: CompileCache
) -> None:
    assert passes(language, "0", cells, pool, compile_cache)
    assert not passes(language, "1", cells, pool, compile_cache)
    if language == "python":
        assert not passes(language, "message", cells, pool, compile_cache)


@pytest.mark.parametrize(("language", "said"), CRASHES)
def test_a_crash_is_no_verdict(
    language: str, said: str, cells: CellPool, pool: CellPool, compile_cache: CompileCache
) -> None:
    with pytest.raises(CheckerError, match=r"'one'.*checker"):
        passes(language, said, cells, pool, compile_cache)
