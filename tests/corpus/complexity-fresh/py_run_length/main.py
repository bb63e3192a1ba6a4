from itertools import groupby


def encode(s):
    parts = []
    for ch, run in groupby(s):
        length = sum(1 for _ in run)
        parts.append(f"{length}{ch}" if length > 1 else ch)
    return "".join(parts)


def decode(code):
    out = []
    count = ""
    for ch in code:
        if ch.isdigit():
            count += ch
        else:
            out.append(ch * int(count or 1))
            count = ""
    return "".join(out)


s = input().strip()
code = encode(s)
assert decode(code) == s
print(len(code))
print(code)
