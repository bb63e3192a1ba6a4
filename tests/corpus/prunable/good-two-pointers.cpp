// n=200000 ms=1000 mib=256
#include <iostream>
#include <vector>
#include <map>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, k;
    cin >> n >> k;
    vector<int> a(n);
    for (auto &x : a) cin >> x;
    map<int, int> cnt;
    int best = 0;
    for (int l = 0, r = 0; r < n; ++r) {
        cnt[a[r]]++;
        while ((int)cnt.size() > k) {
            if (--cnt[a[l]] == 0) cnt.erase(a[l]);
            ++l;
        }
        best = max(best, r - l + 1);
    }
    cout << best << endl;
}
