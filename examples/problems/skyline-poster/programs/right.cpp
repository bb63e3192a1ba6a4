// Each house is put on a stack once and taken off once.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<long long> height(n + 1, 0);  // the 0 at the end takes all houses off the stack
    for (int i = 0; i < n; i++) std::cin >> height[i];
    std::vector<int> rising;  // houses whose right edge is not known, each higher than the one below
    long long best = 0;
    for (int i = 0; i <= n; i++) {
        while (!rising.empty() && height[rising.back()] >= height[i]) {
            long long top = height[rising.back()];
            rising.pop_back();
            int left = rising.empty() ? 0 : rising.back() + 1;
            best = std::max(best, top * (i - left));
        }
        rising.push_back(i);
    }
    std::cout << best << '\n';
}
