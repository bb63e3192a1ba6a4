#include <bits/stdc++.h>
using namespace std;

string s;

pair<int, int> expand(int l, int r) {
    while (l >= 0 && r < (int)s.size() && s[l] == s[r]) {
        l--;
        r++;
    }
    return {l + 1, r - 1};
}

int main() {
    cin >> s;
    long long count = 0;
    int bestL = 0, bestLen = 1;
    for (int i = 0; i < (int)s.size(); i++) {
        for (int d = 0; d < 2; d++) {
            auto [l, r] = expand(i, i + d);
            if (r - l + 1 > bestLen) {
                bestLen = r - l + 1;
                bestL = l;
            }
            count += (r - l + 2) / 2;
        }
    }
    cout << count << "\n" << s.substr(bestL, bestLen) << "\n";
    return 0;
}
