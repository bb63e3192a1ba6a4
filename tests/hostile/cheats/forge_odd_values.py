# Tries: values of the judge's own notation with the wrong things inside.
import os

VALUES = (b'{"$":"bytes","v":5}', b'{"$":"dict","v":[[1]]}', b'{"$":["int"],"v":1}', b'{"v":1}',
          b'{"$":"set","v":{}}', b'{"$":"complex","v":"ab"}', b'{"$":"\\ud800","v":[]}', b"NaN",
          b'{"$":"tuple","v":null}', b'{"$":"int","v":null}', b'"\\udfff"', b"[" * 900 + b"]" * 900)


def total(numbers):
    for fd in range(3, 64):
        try:
            os.write(fd, b'0 0\t["ok",%s]\n' % VALUES[sum(numbers) % len(VALUES)])
        except OSError:
            continue
    os._exit(0)
