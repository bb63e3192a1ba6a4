class Solution:
    def solve(self, text, k):
        letters, counts = [], []
        for letter in text:
            count = counts[-1] + 1 if letters and letters[-1] == letter else 1
            letters.append(letter)
            counts.append(count)
            if count == k:
                del letters[len(letters) - k :]
                del counts[len(counts) - k :]
        return "".join(letters)
