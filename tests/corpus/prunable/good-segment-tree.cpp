// n=200000 q=200000 ms=2000 mib=256
#include <cstdio>
#include <algorithm>
const int N = 200005;
long long t[4 * N];
int n, q;
void build(int v, int l, int r) {
    if (l == r) { scanf("%lld", &t[v]); return; }
    int m = (l + r) / 2;
    build(2 * v, l, m);
    build(2 * v + 1, m + 1, r);
    t[v] = t[2 * v] + t[2 * v + 1];
}
void update(int v, int l, int r, int p, long long x) {
    if (l == r) { t[v] = x; return; }
    int m = (l + r) / 2;
    if (p <= m) update(2 * v, l, m, p, x);
    else update(2 * v + 1, m + 1, r, p, x);
    t[v] = t[2 * v] + t[2 * v + 1];
}
long long query(int v, int l, int r, int a, int b) {
    if (a > r || b < l) return 0;
    if (a <= l && r <= b) return t[v];
    int m = (l + r) / 2;
    return query(2 * v, l, m, a, b) + query(2 * v + 1, m + 1, r, a, b);
}
int main() {
    scanf("%d %d", &n, &q);
    build(1, 1, n);
    while (q--) {
        int k, a, b;
        scanf("%d %d %d", &k, &a, &b);
        if (k == 1) update(1, 1, n, a, b);
        else printf("%lld\n", query(1, 1, n, a, b));
    }
}
