class Solution:
    def solve(self, text):
        left, right = 0, len(text) - 1
        while left < right:
            if not (text[left].isascii() and text[left].isalnum()):
                left += 1
            elif not (text[right].isascii() and text[right].isalnum()):
                right -= 1
            elif text[left].lower() != text[right].lower():
                return False
            else:
                left, right = left + 1, right - 1
        return True
