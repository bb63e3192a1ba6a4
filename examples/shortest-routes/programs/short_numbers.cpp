// Must be wrong (WA) on long roads: the lengths do not fit into 32 bits.
#include <cstdio>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

int main() {
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<std::vector<std::pair<int, unsigned>>> roads(n + 1);
    for (int i = 0; i < m; i++) {
        int a, b;
        unsigned w;
        if (std::scanf("%d %d %u", &a, &b, &w) != 3) return 1;
        roads[a].push_back({b, w});
    }
    std::vector<unsigned> length(n + 1);
    std::vector<char> done(n + 1);
    using Stop = std::pair<unsigned, int>;
    std::priority_queue<Stop, std::vector<Stop>, std::greater<Stop>> open;
    open.push({0, 1});
    while (!open.empty()) {
        auto [so_far, town] = open.top();
        open.pop();
        if (done[town]) continue;
        done[town] = true;
        length[town] = so_far;
        for (auto [next, w] : roads[town])
            if (!done[next]) open.push({so_far + w, next});
    }
    if (done[n]) std::printf("%u\n", length[n]);
    else std::puts("-1");
}
