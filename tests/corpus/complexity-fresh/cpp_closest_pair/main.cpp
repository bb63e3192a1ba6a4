#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
typedef pair<ll, ll> pll;

int main() {
    int n;
    scanf("%d", &n);
    vector<pll> p(n);
    for (auto& [x, y] : p) scanf("%lld %lld", &x, &y);
    sort(p.begin(), p.end());
    set<pll> box;  // (y, x) of the points in the strip
    ll best = LLONG_MAX;
    int j = 0;
    for (int i = 0; i < n; i++) {
        ll d = (ll)ceil(sqrt((double)min(best, (ll)4e18)));
        while (j < i && p[i].first - p[j].first >= d) {
            box.erase({p[j].second, p[j].first});
            j++;
        }
        auto lo = box.lower_bound({p[i].second - d, LLONG_MIN});
        auto hi = box.upper_bound({p[i].second + d, LLONG_MAX});
        for (auto it = lo; it != hi; ++it) {
            ll dx = p[i].first - it->second;
            ll dy = p[i].second - it->first;
            best = min(best, dx * dx + dy * dy);
        }
        box.insert({p[i].second, p[i].first});
    }
    printf("%lld\n", best);
}
