#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<long long> d(n + 1);
    for (auto& x : d) cin >> x;
    const long long INF = 4e18;
    vector<vector<long long>> dp(n, vector<long long>(n, 0));
    for (int len = 2; len <= n; len++) {
        for (int i = 0; i + len - 1 < n; i++) {
            int j = i + len - 1;
            dp[i][j] = INF;
            for (int k = i; k < j; k++) {
                long long cost = dp[i][k] + dp[k + 1][j] + d[i] * d[k + 1] * d[j + 1];
                if (cost < dp[i][j]) dp[i][j] = cost;
            }
        }
    }
    cout << dp[0][n - 1] << endl;
}
