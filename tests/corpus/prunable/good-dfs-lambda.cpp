// n=200000 ms=1000 mib=512
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<vector<int>> g(n);
    for (int i = 1; i < n; i++) {
        int a, b;
        cin >> a >> b;
        g[--a].push_back(--b);
        g[b].push_back(a);
    }
    vector<int> sz(n, 1);
    function<void(int, int)> dfs = [&](int u, int p) {
        for (int v : g[u]) {
            if (v == p) continue;
            dfs(v, u);
            sz[u] += sz[v];
        }
    };
    dfs(0, -1);
    for (int x : sz) cout << x - 1 << ' ';
}
