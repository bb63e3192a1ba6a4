// n=300000 q=300000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int n, q;
vector<int> a;
int smaller(int x) {
    int c = 0;
    for (int i = 0; i < n; i++) c += a[i] < x;
    return c;
}
int main() {
    cin >> n >> q;
    a.resize(n);
    for (auto &x : a) cin >> x;
    for (int i = 0; i < q; i++) {
        int x;
        cin >> x;
        cout << smaller(x) << '\n';
    }
}
