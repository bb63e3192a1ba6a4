#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<std::pair<int, int>> events;
    for (int i = 0; i < n; i++) {
        int a, b;
        scanf("%d %d", &a, &b);
        events.push_back({a, 1});
        events.push_back({b, -1});
    }
    std::sort(events.begin(), events.end());
    int cur = 0, best = 0;
    for (const auto& e : events) {
        cur += e.second;
        best = std::max(best, cur);
    }
    printf("%d\n", best);
    return 0;
}
