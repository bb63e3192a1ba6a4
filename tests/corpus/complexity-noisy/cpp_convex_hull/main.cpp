#include <bits/stdc++.h>
using namespace std;
typedef long long L;
typedef pair<L, L> P;
L cr(P a, P b, P c) {
    return (b.first - a.first) * (c.second - a.second) -
           (b.second - a.second) * (c.first - a.first);
}
int main() {
    int n;
    cin >> n;
    vector<P> p(n);
    for (auto& x : p) cin >> x.first >> x.second;
    sort(p.begin(), p.end());
    vector<P> h;
    for (int t = 0; t < 2; t++) {
        size_t s = h.size();
        for (auto& x : p) {
            while (h.size() >= s + 2 && cr(h[h.size() - 2], h.back(), x) <= 0) h.pop_back();
            h.push_back(x);
        }
        h.pop_back();
        reverse(p.begin(), p.end());
    }
    cout << h.size() << endl;
}
