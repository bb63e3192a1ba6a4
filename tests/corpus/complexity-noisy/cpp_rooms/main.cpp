#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<pair<int, int>> a(n);
    for (auto& x : a) cin >> x.first >> x.second;
    sort(a.begin(), a.end(), [](auto& x, auto& y) { return x.second < y.second; });
    priority_queue<int, vector<int>, greater<>> q;
    for (auto& x : a) {
        if (q.size() && q.top() < x.first) q.pop();
        q.push(x.second);
    }
    cout << q.size() << endl;
}
