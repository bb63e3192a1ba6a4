"""The same programs by SandboxFusion's client, Judge0's client and the native route. Prints JSON.

    .ci/clients && nice -n 5 python benchmarks/service_peers.py [--programs N] > service_peers.json

Each program is judged once by each way, against one test. The clients are those from PyPI, in
environments of their own. The verdicts must be the same; `different` lists those that are not.
"""

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from judge import machine

CLIENTS = Path(__file__).parents[1] / "build" / "clients"
LIMIT_S = 1.0
SANDBOX_FUSION = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from sandbox_fusion import RunCodeRequest, run_code
def verdict(each):
    done = run_code(RunCodeRequest(
        code=each["program"], language=each["language"], stdin=each["stdin"],
        run_timeout=float(sys.argv[3]), compile_timeout=60), endpoint=sys.argv[1])
    run = done.run_result
    if run is not None and run.status == "TimeLimitExceeded":
        return "late"
    if done.status != "Success":
        return "failed"
    return "passed" if run.stdout.rstrip() == each["expected"].rstrip() else "wrong"
with ThreadPoolExecutor(4) as threads:
    print(json.dumps(list(threads.map(verdict, json.load(open(sys.argv[2]))))))
"""
JUDGE0 = """
import json, sys
import judge0
from judge0.clients import Client
client = Client(sys.argv[1])
names = {3: "passed", 4: "wrong", 5: "late"}
given = json.load(open(sys.argv[2]))
languages = {"python": judge0.PYTHON, "cpp": judge0.CPP}
found = []
for start in range(0, len(given), 20):
    some = []
    for each in given[start:start + 20]:
        one = judge0.Submission(
            source_code=each["program"], language=languages[each["language"]],
            cpu_time_limit=float(sys.argv[3]), wall_time_limit=float(sys.argv[3]) + 0.25,
            memory_limit=512000)
        # Its constructor takes a text such as 1006 for base64, and decodes it.
        one.stdin, one.expected_output = each["stdin"], each["expected"]
        some.append(one)
    done = judge0.run(client=client, submissions=some)
    found += [names.get(int(each.status), "failed") for each in done]
print(json.dumps(found))
"""


def programs(number: int) -> list[dict[str, str]]:
    """Return programs of every verdict, the first ones right, in Python and some in C++."""
    found = []
    for index in range(number):
        a, b = index * 7 + 1, index * 13 + 5
        cpp = index % 10 == 9
        kind = ("right", "wrong", "right", "crash", "right", "broken", "exit", "right")[index % 8]
        if index % 50 == 49:
            kind = "slow"
        found.append(
            {
                "program": (_cpp if cpp else _python)(kind, index),
                "language": "cpp" if cpp else "python",
                "stdin": f"{a} {b}\n",
                "expected": f"{a + b}\n",
            }
        )
    return found


def _python(kind: str, index: int) -> str:
    read = f"# {index}\na, b = map(int, input().split())\n"
    return {
        "right": f"{read}print(a + b)\n",
        "wrong": f"{read}print(a + b + 1)\n",
        "crash": f"{read}print([][a])\n",
        "broken": f"{read}print(a + b\n",
        "exit": f"{read}print(a + b)\nraise SystemExit(3)\n",
        "slow": f"{read}while True:\n    pass\n",
    }[kind]


def _cpp(kind: str, index: int) -> str:
    body = {
        "right": "std::cout << a + b << '\\n';",
        "wrong": "std::cout << a - b << '\\n';",
        "crash": "std::abort();",
        "broken": "std::cout << c",
        "exit": "std::cout << a + b; return 3;",
        "slow": "for (volatile int i = 0;; i = i + 1) {}",
    }[kind]
    return (
        f"// {index}\n#include <cstdlib>\n#include <iostream>\n"
        f"int main() {{ long a, b; std::cin >> a >> b; {body} }}\n"
    )


def native(url: str, given: list[dict[str, str]]) -> list[str]:
    """Return the verdicts of `/v1/judge`."""
    parts = urlsplit(url)
    assert parts.hostname
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
    names = {"AC": "passed", "WA": "wrong", "TLE": "late"}
    found = []
    for each in given:
        body = {
            "program": each["program"],
            "language": each["language"],
            "tests": [{"input": each["stdin"], "expected": each["expected"]}],
            "limits": {"cpu_ms": round(LIMIT_S * 1_000)},
        }
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/v1/judge", json.dumps(body).encode(), headers)
        answer = json.loads(connection.getresponse().read())
        found.append(names.get(answer["cases"][0]["verdict"], "failed"))
    return found


def by_client(name: str, script: str) -> Callable[[str, Path], list[str]]:
    """Return a function that gives the verdicts of a client."""

    def verdicts(url: str, file: Path) -> list[str]:
        python = CLIENTS / name / "bin" / "python"
        done = subprocess.run(
            [str(python), "-c", script, url, str(file), str(LIMIT_S)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=3_600,
        )
        found: list[str] = json.loads(done.stdout.splitlines()[-1])
        return found

    return verdicts


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Run a service with the endpoints of both peers, and give its URL."""
    with (folder / "log.jsonl").open("wb") as log:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "steelyard",
                "serve",
                "--port",
                "0",
                "--json",
                "--workers",
                "0",
                "--compat",
                "sandboxfusion,judge0",
                "--db",
                str(folder / "service.sqlite3"),
            ],
            stdout=subprocess.PIPE,
            stderr=log,
        )
    try:
        assert process.stdout
        text = b""
        while not text.endswith(b"}\n"):
            text += process.stdout.readline()
        yield json.loads(text)["url"]
    finally:
        process.terminate()
        process.wait(60)


def main() -> None:
    """Judge all programs by the three ways, and print how they agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=500)
    given = programs(parser.parse_args().programs)
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as url:
        file = Path(name) / "programs.json"
        file.write_text(json.dumps(given))
        ways: dict[str, Callable[[], list[str]]] = {
            "native": lambda: native(url, given),
            "sandbox-fusion": lambda: by_client("sandbox-fusion", SANDBOX_FUSION)(url, file),
            "judge0": lambda: by_client("judge0", JUDGE0)(url, file),
        }
        found, seconds = {}, {}
        for way, judge in ways.items():
            begun = time.monotonic()
            found[way] = judge()
            seconds[way] = round(time.monotonic() - begun, 1)
    rows: list[tuple[Any, ...]] = list(zip(*found.values(), strict=True))
    different = [
        {"program": index, **dict(zip(found, row, strict=True))}
        for index, row in enumerate(rows)
        if len(set(row)) > 1
    ]
    print(
        json.dumps(
            {
                "machine": machine(),
                "programs": len(given),
                "same": len(given) - len(different),
                "verdicts": Counter(found["native"]),
                "seconds": seconds,
                "different": different,
            },
            indent=2,
        )
    )
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
