#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    long long k;
    cin >> n >> k;
    vector<int> a(n);
    for (int i = 0; i < n; i++) cin >> a[i];
    vector<int> sums;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            sums.push_back(a[i] + a[j]);
    sort(sums.begin(), sums.end());
    cout << sums[k - 1] << endl;
    int distinct = unique(sums.begin(), sums.end()) - sums.begin();
    cout << distinct << endl;
    return 0;
}
