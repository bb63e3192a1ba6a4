// Keeps every row, although only the last one is read: n * n numbers.
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
    std::vector<std::vector<int>> added(n + 1, std::vector<int>(n, 0));
    for (int left = n - 2; left >= 0; left--)
        for (int right = left + 1; right < n; right++)
            added[left][right] = beads[left] == beads[right]
                ? added[left + 1][right - 1]
                : 1 + std::min(added[left + 1][right], added[left][right - 1]);
    std::cout << added[0][n - 1] << '\n';
}
