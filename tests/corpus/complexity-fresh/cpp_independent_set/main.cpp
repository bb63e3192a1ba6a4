#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    cin >> n >> m;
    vector<int> adj(n, 0);
    for (int i = 0; i < m; i++) {
        int u, v;
        cin >> u >> v;
        adj[u - 1] |= 1 << (v - 1);
        adj[v - 1] |= 1 << (u - 1);
    }
    int best = 0, ways = 0;
    for (int mask = 0; mask < (1 << n); mask++) {
        bool ok = true;
        for (int i = 0; i < n; i++) {
            if ((mask >> i & 1) && (adj[i] & mask)) {
                ok = false;
                break;
            }
        }
        if (!ok) continue;
        int size = __builtin_popcount(mask);
        if (size > best) {
            best = size;
            ways = 1;
        } else if (size == best) {
            ways++;
        }
    }
    cout << best << " " << ways << endl;
}
