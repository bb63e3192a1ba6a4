class Solution:
    def solve(self, beads, pairs):
        allowed = set(pairs) | {pair[::-1] for pair in pairs}
        letters = sorted(set(beads))
        layer_of_letter = dict.fromkeys(letters, -1)
        layers = []
        for c in beads:
            layer = 1 + max(layer_of_letter[d] for d in letters if d == c or c + d not in allowed)
            if layer == len(layers):
                layers.append([])
            layers[layer].append(c)
            layer_of_letter[c] = layer
        return "".join("".join(sorted(layer)) for layer in layers)
