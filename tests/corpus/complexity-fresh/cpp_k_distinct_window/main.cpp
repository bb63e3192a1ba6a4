#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(0);
    cin.tie(0);
    int n, k;
    cin >> n >> k;
    vector<int> a(n);
    for (int i = 0; i < n; i++) cin >> a[i];
    unordered_map<int, int> cnt;
    int best = 0;
    long long total = 0;
    int left = 0;
    for (int right = 0; right < n; right++) {
        cnt[a[right]]++;
        while ((int)cnt.size() > k) {
            auto it = cnt.find(a[left]);
            if (--it->second == 0) cnt.erase(it);
            left++;
        }
        best = max(best, right - left + 1);
        total += right - left + 1;
    }
    cout << best << " " << total << "\n";
}
