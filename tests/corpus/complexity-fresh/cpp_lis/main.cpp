#include <bits/stdc++.h>
using namespace std;
#define all(x) (x).begin(), (x).end()

void solve() {
    int n;
    cin >> n;
    vector<int> a(n);
    for (auto& x : a) cin >> x;
    vector<int> dp;
    for (int x : a) {
        auto it = lower_bound(all(dp), x);
        if (it == dp.end())
            dp.push_back(x);
        else
            *it = x;
    }
    cout << dp.size() << '\n';
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    solve();
}
