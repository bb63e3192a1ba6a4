#include <bits/stdc++.h>
using namespace std;
int f[1000005];
int g(int x) {
    while (f[x] != x) x = f[x] = f[f[x]];
    return x;
}
int main() {
    int n;
    scanf("%d", &n);
    vector<array<int, 3>> e(3 * n);
    for (auto& x : e) scanf("%d%d%d", &x[1], &x[2], &x[0]);
    iota(f, f + n, 0);
    sort(e.begin(), e.end());
    long long s = 0;
    for (auto& x : e) {
        int a = g(x[1]), b = g(x[2]);
        if (a != b) {
            f[a] = b;
            s += x[0];
        }
    }
    printf("%lld\n", s);
}
