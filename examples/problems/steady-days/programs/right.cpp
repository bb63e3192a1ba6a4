// Pairs of prefix sums that do not fall, counted with a Fenwick tree over their ranks.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    long long mark;
    std::cin >> n >> mark;
    std::vector<long long> sums(n + 1, 0);
    for (int i = 1; i <= n; i++) {
        long long flow;
        std::cin >> flow;
        sums[i] = sums[i - 1] + flow - mark;
    }
    std::vector<long long> order(sums);
    std::sort(order.begin(), order.end());
    std::vector<int> seen(n + 2, 0);
    long long stretches = 0;
    for (long long sum : sums) {
        // The last rank of equal sums, so that those before it count in.
        int rank = std::upper_bound(order.begin(), order.end(), sum) - order.begin();
        for (int i = rank; i > 0; i -= i & -i) stretches += seen[i];
        for (int i = rank; i <= n + 1; i += i & -i) seen[i]++;
    }
    std::cout << stretches << '\n';
}
