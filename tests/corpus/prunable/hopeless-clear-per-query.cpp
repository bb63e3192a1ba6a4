// n=1000000 q=100000 ms=1000 mib=256
#include <bits/stdc++.h>
using namespace std;
int used[1000005];
int main() {
    int n, q;
    cin >> n >> q;
    for (int i = 0; i < q; i++) {
        memset(used, 0, sizeof used);
        int a, b;
        cin >> a >> b;
        used[a] = used[b] = 1;
        cout << (a == b) << '\n';
    }
}
