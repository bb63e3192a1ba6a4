class Solution:
    def solve(self, log, limit):
        # A text is a chain of chunks: (rest, chunk, length), shared by all versions.
        empty = (None, "", 0)
        versions = [empty]
        now = low = 0
        for entry in log:
            if entry == "<":
                now = max(low, now - 1)
            elif entry == ">":
                now = min(len(versions) - 1, now + 1)
            else:
                node = versions[now]
                if entry[0] in "0123456789":
                    number = min(int(entry), node[2])
                    if number == 0:
                        continue
                    keep = node[2] - number
                    while node[2] > keep:
                        rest, chunk, length = node
                        if rest[2] >= keep:
                            node = rest
                        else:
                            node = (rest, chunk[: keep - rest[2]], keep)
                else:
                    node = (node, entry, node[2] + len(entry))
                del versions[now + 1 :]
                versions.append(node)
                now += 1
                low = max(low, now - limit)
        chunks = []
        node = versions[now]
        while node is not None:
            chunks.append(node[1])
            node = node[0]
        return "".join(reversed(chunks))
