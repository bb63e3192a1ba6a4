#include <bits/stdc++.h>
using namespace std;
using ll = long long;

class SegmentTree {
    int n;
    vector<ll> sum, lazy;

    void build(const vector<ll>& a, int node, int lo, int hi) {
        if (lo == hi) {
            sum[node] = a[lo];
            return;
        }
        int mid = (lo + hi) / 2;
        build(a, 2 * node, lo, mid);
        build(a, 2 * node + 1, mid + 1, hi);
        sum[node] = sum[2 * node] + sum[2 * node + 1];
    }

    void push(int node, int lo, int hi) {
        if (lazy[node] == 0) return;
        sum[node] += lazy[node] * (hi - lo + 1);
        if (lo != hi) {
            lazy[2 * node] += lazy[node];
            lazy[2 * node + 1] += lazy[node];
        }
        lazy[node] = 0;
    }

    void update(int node, int lo, int hi, int l, int r, ll v) {
        push(node, lo, hi);
        if (r < lo || hi < l) return;
        if (l <= lo && hi <= r) {
            lazy[node] += v;
            push(node, lo, hi);
            return;
        }
        int mid = (lo + hi) / 2;
        update(2 * node, lo, mid, l, r, v);
        update(2 * node + 1, mid + 1, hi, l, r, v);
        sum[node] = sum[2 * node] + sum[2 * node + 1];
    }

    ll query(int node, int lo, int hi, int l, int r) {
        if (r < lo || hi < l) return 0;
        push(node, lo, hi);
        if (l <= lo && hi <= r) return sum[node];
        int mid = (lo + hi) / 2;
        return query(2 * node, lo, mid, l, r) + query(2 * node + 1, mid + 1, hi, l, r);
    }

public:
    explicit SegmentTree(const vector<ll>& a) : n(a.size()), sum(4 * n), lazy(4 * n) {
        build(a, 1, 0, n - 1);
    }
    void add(int l, int r, ll v) { update(1, 0, n - 1, l, r, v); }
    ll get(int l, int r) { return query(1, 0, n - 1, l, r); }
};

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, q;
    cin >> n >> q;
    vector<ll> a(n);
    for (ll& x : a) cin >> x;
    SegmentTree st(a);
    while (q--) {
        int type, l, r;
        cin >> type >> l >> r;
        l--, r--;
        if (type == 1) {
            ll v;
            cin >> v;
            st.add(l, r, v);
        } else {
            cout << st.get(l, r) << "\n";
        }
    }
    return 0;
}
