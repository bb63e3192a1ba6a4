// Must be too slow (TLE) on the long chain: as many rounds over all roads as there are towns.
#include <cstdio>
#include <vector>

struct Road {
    int from, to, length;
};

int main() {
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<Road> roads(m);
    for (Road& road : roads)
        if (std::scanf("%d %d %d", &road.from, &road.to, &road.length) != 3) return 1;
    const long long never = 1LL << 60;
    std::vector<long long> length(n + 1, never);
    length[1] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Road& road : roads)
            if (length[road.from] + road.length < length[road.to]) {
                length[road.to] = length[road.from] + road.length;
                changed = true;
            }
    }
    std::printf("%lld\n", length[n] < never ? length[n] : -1);
}
