// n=200000 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> seen;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        seen.push_back(x);
        sort(seen.begin(), seen.end());
        cout << seen[i / 2] << '\n';
    }
}
