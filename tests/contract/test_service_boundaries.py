"""What a candidate that the service judges can reach of the service itself: nothing."""

from urllib.parse import urlsplit

from tests.http_server import Service

PROGRAM = """
import os, socket
try:
    with socket.create_connection(("127.0.0.1", {port}), 5) as own:
        own.sendall(b"GET /v1/problems HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
        print("connected", own.recv(100))
except OSError:
    print("no network")
for name in {files}:
    try:
        with open(name, "rb") as file:
            print("read", file.read(16))
    except OSError:
        print("no file")
print("STEELYARD_DATABASE_URL" in os.environ)
"""


def test_a_candidate_reaches_neither_the_service_nor_its_database(service: Service) -> None:
    assert service.request("GET", "/v1/problems").status == 200
    assert service.database.exists()
    files = [
        str(service.database),
        str(service.folder / "log.jsonl"),
        f"/proc/{service.process.pid}/environ",
    ]
    program = PROGRAM.format(port=urlsplit(service.url).port, files=files)
    expected = "no network\n" + "no file\n" * len(files) + "False\n"
    tests = [{"input": "", "expected": expected}]
    answer = service.post("/v1/judge", {"program": program, "language": "python", "tests": tests})
    assert answer.status == 200
    assert answer.json["details"] == "compiled; 1 of 1 tests passed", answer.json
