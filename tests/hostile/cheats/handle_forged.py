# Tries: handles with the wrong things inside, and handles of what was never kept.
import os

GIVEN = (b"[]", b"0", b"[0]", b'["0","int"]', b'[true,"int"]', b'[0,5]', b'[[0],"int"]', b"null",
         b'[-1,"int"]', b'[99,"int"]', b'[0,"int",0]', b'{"$":"other","v":[0,"int"]}', b'"sum"')


def total(numbers):
    given = b'{"$":"other","v":' + GIVEN[(sum(numbers) + os.getpid()) % len(GIVEN)] + b"}"
    answer = b'["ok",' + given + b',[],{"$":"dict","v":[]}]'
    os.write(3, len(answer).to_bytes(8, "little") + answer)
    return 0
