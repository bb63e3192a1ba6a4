#include <bits/stdc++.h>
using namespace std;

int n, q;
vector<vector<int>> tree;  // tree[depth] is the array, sorted within each segment of that depth

void build(int depth, int lo, int hi, const vector<int>& a) {
    if ((int)tree.size() <= depth) tree.push_back(vector<int>(n));
    if (hi - lo == 1) {
        tree[depth][lo] = a[lo];
        return;
    }
    int mid = (lo + hi) / 2;
    build(depth + 1, lo, mid, a);
    build(depth + 1, mid, hi, a);
    auto& below = tree[depth + 1];
    merge(below.begin() + lo, below.begin() + mid, below.begin() + mid, below.begin() + hi,
          tree[depth].begin() + lo);
}

int query(int depth, int lo, int hi, int l, int r, int x) {
    if (r <= lo || hi <= l) return 0;
    if (l <= lo && hi <= r) {
        auto first = tree[depth].begin() + lo, last = tree[depth].begin() + hi;
        return upper_bound(first, last, x) - first;
    }
    int mid = (lo + hi) / 2;
    return query(depth + 1, lo, mid, l, r, x) + query(depth + 1, mid, hi, l, r, x);
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    cin >> n >> q;
    vector<int> a(n);
    for (int& x : a) cin >> x;
    build(0, 0, n, a);
    while (q--) {
        int l, r, x;
        cin >> l >> r >> x;
        cout << query(0, 0, n, l - 1, r, x) << '\n';
    }
}
