#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<int>> adj(n + 1);
    vector<int> indegree(n + 1, 0);
    for (int i = 0; i < m; i++) {
        int a, b;
        scanf("%d %d", &a, &b);
        adj[a].push_back(b);
        indegree[b]++;
    }
    queue<int> ready;
    for (int v = 1; v <= n; v++)
        if (indegree[v] == 0) ready.push(v);
    vector<int> order, depth(n + 1, 1);
    while (!ready.empty()) {
        int v = ready.front();
        ready.pop();
        order.push_back(v);
        for (int to : adj[v]) {
            depth[to] = max(depth[to], depth[v] + 1);
            if (--indegree[to] == 0) ready.push(to);
        }
    }
    if ((int)order.size() < n) {
        puts("IMPOSSIBLE");
        return 0;
    }
    printf("%d\n", *max_element(depth.begin() + 1, depth.end()));
    for (int v : order) printf("%d ", v);
    puts("");
}
