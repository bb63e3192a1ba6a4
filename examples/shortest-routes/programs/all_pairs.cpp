// Must use too much memory (MLE) where there are many towns: a table of all pairs of them.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n, m;
    if (std::scanf("%d %d", &n, &m) != 2) return 1;
    const long long never = 1LL << 60;
    std::vector<std::vector<long long>> length(n + 1);
    for (auto& row : length) row.assign(n + 1, never);
    for (int town = 1; town <= n; town++) length[town][town] = 0;
    for (int i = 0, a, b, w; i < m; i++) {
        if (std::scanf("%d %d %d", &a, &b, &w) != 3) return 1;
        length[a][b] = std::min(length[a][b], (long long)w);
    }
    for (int via = 1; via <= n; via++)
        for (int a = 1; a <= n; a++)
            for (int b = 1; b <= n; b++)
                length[a][b] = std::min(length[a][b], length[a][via] + length[via][b]);
    std::printf("%lld\n", length[1][n] < never ? length[1][n] : -1);
}
