// n=40 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    long long target;
    cin >> n >> target;
    vector<long long> a(n);
    for (auto &x : a) cin >> x;
    long long ways = 0;
    for (long long mask = 0; mask < (1LL << n); mask++) {
        long long s = 0;
        for (int i = 0; i < n; i++) if (mask >> i & 1) s += a[i];
        ways += s == target;
    }
    cout << ways;
}
