class Solution:
    def solve(self, source, target):
        if source and target and source[0] == target[0]:
            return self.solve(source[1:], target[1:])
        if not source or not target:
            return len(source) + len(target)
        options = [
            self.solve(source[1:], target),
            self.solve(source, target[1:]),
            self.solve(source[1:], target[1:]),
        ]
        if (
            len(source) > 1
            and len(target) > 1
            and source[0] == target[1]
            and source[1] == target[0]
        ):
            options.append(self.solve(source[2:], target[2:]))
        return 1 + min(options)
