"""Processes and threads that share a cache lose no reply and see no half of one."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from steelyard.models import ReplyCache, cache_stats
from tests.unit.models.exchanges import KEY, a_reply, a_request

ROOT = Path(__file__).parents[3]
WRITER = """
import sys
from pathlib import Path
from steelyard.models import ReplyCache
from tests.unit.models.exchanges import KEY, a_reply, a_request

me, path = int(sys.argv[1]), Path(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
cache = ReplyCache(path, KEY)  # all make the file at once
for number in range(40):
    cache.put(a_request(seed=number, attempt=me), a_reply(f"{me} {number}" * 1000))
    shared = cache.get(a_request(seed=number))
    assert shared is None or shared.text == "shared" * 1000, shared
    cache.put(a_request(seed=number), a_reply("shared" * 1000))
"""


def test_processes_that_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "replies.sqlite3"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(me), str(path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for me in (1, 2, 3)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        _, said = writer.communicate(timeout=120)
        assert writer.returncode == 0, said
    cache = ReplyCache(path, KEY)
    for me in (1, 2, 3):
        for number in range(40):
            assert cache.get(a_request(seed=number, attempt=me)) == a_reply(f"{me} {number}" * 1000)
    assert cache_stats(path).entries == 160
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "replies.sqlite3",
        "replies.sqlite3-shm",
        "replies.sqlite3-wal",
    ]


def test_threads_share_one_cache(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies.sqlite3")

    def use(number: int) -> bool:
        cache.put(a_request(seed=number), a_reply(str(number)))
        found = cache.get(a_request(seed=number))
        return found is not None and found.text == str(number)

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(use, range(100)))
