// t=10000 n=200000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
void solve() {
    int n;
    cin >> n;
    vector<int> a(n);
    for (int i = 0; i < n; i++) cin >> a[i];
    sort(a.begin(), a.end());
    long long s = 0;
    for (int i = 0; i < n; i++) s += abs(a[i] - a[n / 2]);
    cout << s << '\n';
}
int main() {
    int t;
    cin >> t;
    while (t--) solve();
}
