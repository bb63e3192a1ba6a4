// One row, used again: before a place is written it holds the row before.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::string beads;
    std::cin >> n >> beads;
    std::vector<int> added(n, 0);  // for the piece from `left` to each right end
    for (int left = n - 2; left >= 0; left--) {
        int inner = 0;  // of the piece without both its ends
        for (int right = left + 1; right < n; right++) {
            int without_left = added[right];
            added[right] = beads[left] == beads[right]
                ? inner
                : 1 + std::min(without_left, added[right - 1]);
            inner = without_left;
        }
    }
    std::cout << added[n - 1] << '\n';
}
