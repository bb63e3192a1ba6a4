# Tries: figures that no process can have, and lines that no reader should believe.
import os

LINES = (b'-1 -1\t["ok",0]\n', b"9" * 400 + b' 0\t["ok",0]\n', b"\t\t\t\n", b'1e9 0\t["ok",0]\n',
         b"0 0\t\n", b"\x00" * 100 + b"\n", b"0 0\t" + b"[" * 5000 + b"\n")


def total(numbers):
    for fd in range(3, 64):
        try:
            os.write(fd, LINES[sum(numbers) % len(LINES)])
        except OSError:
            continue
    os._exit(0)
