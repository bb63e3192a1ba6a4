// n=1000000 ms=1000 mib=256
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> v(n);
    for (auto &x : v) cin >> x;
    long long s = 0;
    while (!v.empty()) {
        s = (s * 31 + v.front()) % 1000000007;
        v.erase(v.begin());
    }
    cout << s;
}
