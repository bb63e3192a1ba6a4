// Must pass every test: sweeps from left to right over the ships within reach, by height.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<std::pair<double, double>> ships(n);
    for (auto& [x, y] : ships)
        if (std::scanf("%lf %lf", &x, &y) != 2) return 1;
    std::sort(ships.begin(), ships.end());
    std::set<std::pair<double, double>> reach;  // by y, then x
    double best = 1e18;
    int left = 0;
    for (auto [x, y] : ships) {
        for (; x - ships[left].first > best; left++)
            reach.erase({ships[left].second, ships[left].first});
        for (auto near = reach.lower_bound({y - best, 0}); near != reach.end(); ++near) {
            if (near->first > y + best) break;
            best = std::min(best, std::hypot(x - near->second, y - near->first));
        }
        reach.insert({y, x});
    }
    std::printf("%.9f\n", best);
}
