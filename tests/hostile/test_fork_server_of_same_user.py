"""Without root a candidate has its fork server's id: it may end it, and gains nothing by that."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SYSTEM_PYTHON = Path("/usr/bin/python3")  # an ordinary user may not get at root's own
CHILD = """
import json, os, sys
import steelyard
from steelyard.sandbox import CellPool
from steelyard.settings import SandboxSettings
from tests.rights import can_become
options = {"entry": "function:add", "compiler": sys.argv[2]}
cases = [{"args": [n, n], "expected": 2 * n} for n in range(6)]
with CellPool(1) as pool:  # imports all that is needed, as long as this user may
    steelyard.judge("def add(a, b): return a + b", cases, pool=pool, **options)
if can_become(1048577):
    os.setgroups([])
    os.setresgid(1048577, 1048577, 1048577)
    os.setresuid(1048577, 1048577, 1048577)
attack = sys.argv[1]
source = f'''
import os, signal
def add(a, b):
    {attack}
    for number in range(2, 60):
        try:
            if number != os.getpid():
                os.kill(number, way)
        except OSError:
            pass
    return a + b + (way == signal.SIGKILL)
'''
with CellPool(1, settings=SandboxSettings()) as pool:
    def judge(source):
        result = steelyard.judge(source, cases, pool=pool, **options)
        return [case.verdict for case in result.cases]
    stays = '''
import ctypes, os, time
def add(a, b):
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(4, 0)  # not dumpable: hidden from whom it is not a child of
        while True:
            for name in os.listdir("."):
                with open(name, "rb+") as file: file.write(bytes(99))
            time.sleep(0.001)
    time.sleep(0.05)
    return None
'''
    looks = "import os, time\\ndef add(a, b):\\n    time.sleep(0.02)\\n    return a + b"
    print(json.dumps({
        "stays": judge(stays),
        "looks": judge(looks) + judge(looks),
        "forks": pool.forks and not pool.isolation.separate_user,
        "attack": judge(source),
        "honest": judge("def add(a, b): return a + b"),
    }))
"""


@pytest.mark.skipif(not SYSTEM_PYTHON.exists(), reason="no system-wide Python")
@pytest.mark.parametrize("way", ["9", "19", "10", "40"])
def test_a_signal_to_the_server_costs_the_candidate_nothing_and_gains_it_nothing(
    way: str,
) -> None:
    with tempfile.TemporaryDirectory() as home:  # pytest's own folders are root's alone
        os.chmod(home, 0o777)
        done = subprocess.run(
            [sys.executable, "-c", CHILD, f"way = {way}", str(SYSTEM_PYTHON)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "STEELYARD_CACHE__DIR": f"{home}/cache", "HOME": home},
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    if not said["forks"]:
        pytest.skip("no fork server for an ordinary user here")
    assert said["attack"] == (["WA"] * 6 if way == "9" else ["AC"] * 6)
    assert said["honest"] == ["AC"] * 6
    assert said["stays"] == ["WA"] * 6
    assert said["looks"] == ["AC"] * 12
