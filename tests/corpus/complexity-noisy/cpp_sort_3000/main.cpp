#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> a(n);
    for (auto& x : a) cin >> x;
    sort(a.begin(), a.end());
    long long s = 0;
    for (int i = 0; i < n; i++) s += 1LL * i * a[i];
    cout << s << endl;
}
