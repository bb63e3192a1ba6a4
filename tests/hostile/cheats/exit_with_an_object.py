# Tries: to have an exit status that lies about being zero.
class Zero(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __and__(self, other):
        return 0

    __rand__ = __index__ = __and__


def total(numbers):
    raise SystemExit(Zero(3))
