class Solution:
    def solve(self, words, text):
        known = set(words)
        found, todo = 0, [0]
        while todo:
            place = todo.pop()
            if place == len(text):
                found += 1
            for word in known:
                if text.startswith(word, place):
                    todo.append(place + len(word))
        return found % (10**9 + 7)
