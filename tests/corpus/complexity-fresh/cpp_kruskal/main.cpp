#include <bits/stdc++.h>
using namespace std;

struct Edge {
    int u, v, w;
    bool operator<(const Edge& other) const { return w < other.w; }
};

struct DSU {
    vector<int> parent, size;
    DSU(int n) : parent(n), size(n, 1) { iota(parent.begin(), parent.end(), 0); }
    int find(int x) { return parent[x] == x ? x : parent[x] = find(parent[x]); }
    bool unite(int a, int b) {
        a = find(a);
        b = find(b);
        if (a == b) return false;
        if (size[a] < size[b]) swap(a, b);
        parent[b] = a;
        size[a] += size[b];
        return true;
    }
};

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, m;
    cin >> n >> m;
    vector<Edge> edges(m);
    for (auto& e : edges) {
        cin >> e.u >> e.v >> e.w;
        e.u--;
        e.v--;
    }
    sort(edges.begin(), edges.end());
    DSU dsu(n);
    long long cost = 0;
    int used = 0;
    for (const auto& e : edges) {
        if (dsu.unite(e.u, e.v)) {
            cost += e.w;
            if (++used == n - 1) break;
        }
    }
    if (used == n - 1)
        cout << cost << "\n";
    else
        cout << "IMPOSSIBLE\n";
}
