#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    string s;
    cin >> s;
    unordered_map<int, int> seen;
    int h = 0;
    long best = 0;
    seen[0] = -1;
    for (int i = 0; i < n; i++) {
        h += s[i] == '(' ? 1 : -1;
        auto it = seen.find(h);
        if (it == seen.end())
            seen[h] = i;
        else
            best = max<long>(best, i - it->second);
    }
    map<int, int> o(seen.begin(), seen.end());
    cout << best << " " << o.size() << endl;
}
