class Solution:
    def solve(self, text):
        small = "abcdefghijklmnopqrstuvwxyz0123456789"
        large = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        kept = [max(small.find(c), large.find(c)) for c in text if c in small or c in large]
        return all(kept[i] == kept[-1 - i] for i in range(len(kept)))
