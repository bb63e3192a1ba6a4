#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, m;
    cin >> n >> m;
    vector<int> dp(m + 1, 0);
    int side = 0;
    string row;
    for (int i = 0; i < n; i++) {
        cin >> row;
        int diagonal = 0;
        for (int j = 1; j <= m; j++) {
            int above = dp[j];
            if (row[j - 1] == '1') {
                dp[j] = 1 + min({diagonal, above, dp[j - 1]});
                side = max(side, dp[j]);
            } else {
                dp[j] = 0;
            }
            diagonal = above;
        }
    }
    cout << side * side << "\n";
}
