#include <bits/stdc++.h>
using namespace std;

struct Query {
    int start, id;
};

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, q;
    cin >> n >> q;
    vector<long long> a(n);
    for (auto& x : a) cin >> x;
    int block = sqrt(n);
    vector<vector<Query>> small(block + 1);
    vector<long long> answer(q);
    for (int i = 0; i < q; i++) {
        int start, step;
        cin >> start >> step;
        start--;
        if (step > block) {
            for (int p = start; p < n; p += step) answer[i] += a[p];
        } else {
            small[step].push_back({start, i});
        }
    }
    vector<long long> suffix(n);
    for (int step = 1; step <= block; step++) {
        if (small[step].empty()) continue;
        for (int p = n - 1; p >= 0; p--) {
            suffix[p] = a[p];
            if (p + step < n) suffix[p] += suffix[p + step];
        }
        for (const Query& query : small[step]) answer[query.id] = suffix[query.start];
    }
    for (long long x : answer) cout << x << '\n';
}
