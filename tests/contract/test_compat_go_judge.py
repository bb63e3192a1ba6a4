"""go-judge's client `go-judge`, run unmodified, and what commands can and cannot do."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.http_server import Service, without_cells
from tests.peer_clients import run_client

SH = "/bin/sh"
PATH = ["PATH=/usr/bin:/bin"]
ONE_WAY = {"in": {"index": 0, "fd": 1}, "out": {"index": 1, "fd": 0}}
BACK = {"in": {"index": 1, "fd": 1}, "out": {"index": 0, "fd": 0}}
OUTPUTS = [{"content": ""}, {"name": "stdout", "max": 1_000}, {"name": "stderr", "max": 1_000}]


def ran(peers: Service, script: str, **more: Any) -> dict[str, Any]:
    cmd = {
        "args": [SH, "-c", script],
        "env": PATH,
        "files": OUTPUTS,
        "cpuLimit": 5 * 10**9,
        "memoryLimit": 256 << 20,
        "procLimit": 20,
        **more,
    }
    answer = peers.post("/run", {"cmd": [cmd]})
    assert answer.status == 200, answer.body
    (result,) = answer.json
    return dict(result)


def test_the_client_compiles_and_runs(peers: Service) -> None:
    script = """
import json, sys
from go_judge import RemoteSandbox
sandbox = RemoteSandbox(sys.argv[1])
echo = "#include <iostream>\\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }"
done = sandbox.run_multiple("cpp", echo, ["1 2", "20 22"])
wrong = sandbox.run("cpp", "int main() { return x; }")
python = [] if not sys.argv[2] else [
    sandbox.run("python", "print(input()[::-1])", "ab")["stdout"],
    sandbox.run("python", "while True: pass", exec_cpu_limit_ns=300_000_000)["status"],
    sandbox.run("python", "raise SystemExit(3)")["exit_code"]]
sandbox.close()
print(json.dumps([sandbox.check_health(), [each["stdout"] for each in done],
                  [each["status"] for each in done], wrong["status"], "x" in wrong["stderr"],
                  python]))
"""
    python = "yes" if Path("/usr/bin/python3").exists() else ""
    expected = [
        True,
        ["3", "42"],
        ["Accepted"] * 2,
        "Compile Error",
        True,
        ["ba\n", "Time Limit Exceeded", 3] if python else [],
    ]
    assert run_client("go-judge", script, peers.url, python) == expected
    assert peers.get("/file").json == {}


@pytest.mark.parametrize(
    ("script", "more", "status", "code"),
    [
        ("exit 3", {}, "Nonzero Exit Status", 3),
        ("kill -6 $$", {}, "Signalled", 6),
        ("while :; do :; done", {"cpuLimit": 300_000_000}, "Time Limit Exceeded", 9),
        ("sleep 9", {"cpuLimit": 300_000_000}, "Time Limit Exceeded", 9),
        ("tail /dev/zero", {"memoryLimit": 20 << 20}, "Memory Limit Exceeded", 9),
        ("head -c 2000 /dev/zero", {}, "Output Limit Exceeded", 0),
        ("true", {"copyOut": ["absent"]}, "File Error", 0),
        ("true", {"copyOut": ["absent?"]}, "Accepted", 0),
        ("echo 12345 > a", {"copyOut": ["a"], "copyOutMax": 2}, "File Error", 0),
        ("x", {"args": ["/no/such"]}, "Internal Error", 0),
    ],
)
def test_statuses(
    peers: Service, script: str, more: dict[str, Any], status: str, code: int
) -> None:
    done = ran(peers, script, **more)
    assert (done["status"], done["exitStatus"]) == (status, code)


def test_pipes_join_two_commands(peers: Service) -> None:
    def cmd(script: str) -> dict[str, Any]:
        files = [None, None, OUTPUTS[2]]
        return {"args": [SH, "-c", script], "env": PATH, "files": files, "cpuLimit": 5 * 10**9}

    asks = "echo 20; read a; echo 22; read b; echo got $a $b >&2"
    doubles = "while read n; do echo $((2 * n)); done; echo end >&2"
    body = {"cmd": [cmd(asks), cmd(doubles)], "pipeMapping": [ONE_WAY, BACK]}
    answer = peers.post("/run", body)
    assert answer.status == 200, answer.body
    one, two = answer.json
    assert (one["status"], one["files"]["stderr"]) == ("Accepted", "got 40 44\n")
    assert (two["status"], two["files"]["stderr"]) == ("Accepted", "end\n")
    reads = {**cmd("wc -c; exit 3"), "files": [None, *OUTPUTS[1:]]}
    body = {"cmd": [cmd("head -c 100000 /dev/zero"), reads], "pipeMapping": [ONE_WAY]}
    one, two = peers.post("/run", body).json
    assert one["status"] == "Accepted"
    assert (two["exitStatus"], two["files"]["stdout"].strip()) == (3, "100000")


def test_files_go_in_and_come_out(peers: Service) -> None:
    done = ran(
        peers,
        "cat in/a > b; cat b; echo no >&2",
        copyIn={"in/a": {"content": "text"}},
        copyOut=["b"],
        copyOutCached=["stdout", "b"],
    )
    assert done["files"]["stderr"] == "no\n"
    assert done["fileIds"].keys() == {"stdout", "b"}
    stored = peers.get(f"/file/{done['fileIds']['b']}")
    assert (stored.status, stored.body) == (200, b"text")
    assert stored.headers["content-disposition"].startswith("attachment")
    again = ran(peers, "cat", files=[{"fileId": done["fileIds"]["b"]}, *OUTPUTS[1:]])
    assert again["files"]["stdout"] == "text"
    for file_id in done["fileIds"].values():
        assert peers.request("DELETE", f"/file/{file_id}").status == 200
        assert peers.get(f"/file/{file_id}").status == 404
    form = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a b"\r\n\r\nhi\r\n--x--\r\n'
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    added = peers.post("/file", form, headers=kind)
    assert added.status == 200
    assert peers.get("/file").json == {added.json: "a b"}
    assert peers.request("DELETE", f"/file/{added.json}").status == 200
    assert peers.post("/file", b"--x\r\n", headers=kind).status == 400
    unnamed = peers.post("/file", form, headers={"Content-Type": "multipart/form-data; boundary="})
    assert (unnamed.status, "malformed" in unnamed.json) == (400, True)


def test_a_command_reaches_neither_the_machine_nor_another_command(peers: Service) -> None:
    file = peers.folder / "steelyard.sqlite3"
    assert ran(peers, f"cat {file} /etc/passwd")["status"] == "Nonzero Exit Status"
    assert ran(peers, "touch /usr/bin/x /bin/x")["status"] == "Nonzero Exit Status"
    ran(peers, "echo left > left; echo left > /tmp/left; (sleep 60 &)")
    assert (
        ran(peers, "ls; ls /tmp; ls -d /proc/[0-9]* | wc -l")["files"]["stdout"].split()[-1] < "5"
    )
    assert "left" not in ran(peers, "ls; ls /tmp")["files"]["stdout"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "no cmd"),
        ({"cmd": [{"args": []}]}, "args"),
        ({"cmd": [{"args": ["a"], "copyIn": {"a": {"src": "/etc/passwd"}}}]}, "src"),
        ({"cmd": [{"args": ["a"], "copyIn": {"a": {"symlink": "/etc"}}}]}, "not valid"),
        ({"cmd": [{"args": ["a"], "copyIn": {"../a": {"content": ""}}}]}, "inside"),
        (
            {"cmd": [{"args": ["a"], "copyIn": {name: {"content": ""} for name in ("a", "a/b")}}]},
            "rename",
        ),
        ({"cmd": [{"args": ["a"], "copyOut": ["/etc/passwd"]}]}, "inside"),
        ({"cmd": [{"args": ["a"], "copyOutDir": "/tmp"}]}, "copyOutDir"),
        ({"cmd": [{"args": ["a"], "files": [{"fileId": "x"}]}]}, "not exists"),
        ({"cmd": [{"args": ["a"], "files": [None, {"content": ""}]}]}, "stdout"),
        ({"cmd": [{"args": ["a"], "env": ["x"]}]}, "NAME=VALUE"),
        ({"cmd": [{"args": ["a"], "cpuLimit": 10**15}]}, "60 s"),
        ({"cmd": [{"args": ["a"], "tty": True}]}, "tty"),
        ({"cmd": [{"args": ["a\0b"]}]}, "NUL"),
        ({"cmd": [{"args": ["a"]}, {"args": ["b"]}], "pipeMapping": [{}]}, "pipeMapping"),
        ({"cmd": [{"args": ["a"]}], "pipeMapping": [ONE_WAY]}, "joins two"),
        ({"cmd": [{"args": ["a"]}] * 2, "pipeMapping": [ONE_WAY] * 2}, "same end"),
        ({"cmd": [{"args": ["a"]}] * 2, "pipeMapping": [{**ONE_WAY, "proxy": True}]}, "proxy"),
        (
            {
                "cmd": [{"args": ["a"]}] * 2,
                "pipeMapping": [{"in": ONE_WAY["out"], "out": ONE_WAY["in"]}],
            },
            "fd 1",
        ),
    ],
)
def test_wrong_requests(peers: Service, body: object, words: str) -> None:
    answer = peers.post("/run", body)
    assert answer.status == 400, answer.body
    assert isinstance(answer.json, str)
    assert words in answer.json


def test_a_lost_cell_is_the_servers_error(peers: Service) -> None:
    body = {"cmd": [{"args": ["/bin/sleep", "9"], "cpuLimit": 20 * 10**9}]}
    with ThreadPoolExecutor() as threads:
        answer = without_cells(peers, threads.submit(peers.post, "/run", body))
    assert answer.status == 500
    assert isinstance(answer.json, str)
