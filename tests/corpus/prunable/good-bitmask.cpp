// n=20 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<vector<long long>> c(n, vector<long long>(n));
    for (auto &row : c) for (auto &x : row) cin >> x;
    vector<long long> dp(1 << n, LLONG_MAX / 2);
    dp[0] = 0;
    for (int mask = 0; mask < (1 << n); mask++) {
        int i = __builtin_popcount(mask);
        for (int j = 0; j < n; j++)
            if (!(mask >> j & 1)) dp[mask | 1 << j] = min(dp[mask | 1 << j], dp[mask] + c[i][j]);
    }
    cout << dp.back();
}
