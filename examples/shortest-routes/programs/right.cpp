// Must pass every test: Dijkstra with a heap, 64-bit lengths.
#include <cstdio>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

int main() {
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<std::vector<std::pair<int, int>>> roads(n + 1);
    for (int i = 0, a, b, w; i < m; i++) {
        if (std::scanf("%d %d %d", &a, &b, &w) != 3) return 1;
        roads[a].push_back({b, w});
    }
    std::vector<long long> length(n + 1, -1);
    using Stop = std::pair<long long, int>;
    std::priority_queue<Stop, std::vector<Stop>, std::greater<Stop>> open;
    open.push({0, 1});
    while (!open.empty()) {
        auto [so_far, town] = open.top();
        open.pop();
        if (length[town] >= 0) continue;
        length[town] = so_far;
        for (auto [next, w] : roads[town])
            if (length[next] < 0) open.push({so_far + w, next});
    }
    std::printf("%lld\n", length[n]);
}
