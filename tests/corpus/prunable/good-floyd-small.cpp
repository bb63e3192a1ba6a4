// n=400 m=79800 q=100000 ms=1000 mib=256
#include <bits/stdc++.h>
using namespace std;
long long d[505][505];
int main() {
    int n, m, q;
    cin >> n >> m >> q;
    memset(d, 0x3f, sizeof d);
    for (int i = 0; i < m; i++) {
        long long a, b, c;
        cin >> a >> b >> c;
        d[a][b] = d[b][a] = min(d[a][b], c);
    }
    for (int k = 1; k <= n; k++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                d[i][j] = min(d[i][j], d[i][k] + d[k][j]);
    while (q--) {
        int a, b;
        cin >> a >> b;
        cout << d[a][b] << "\n";
    }
}
