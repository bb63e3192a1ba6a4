// n=100000 L=20 ms=2000 mib=256
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    unordered_map<string, int> groups;
    int best = 0;
    for (int i = 0; i < n; i++) {
        string word;
        cin >> word;
        sort(word.begin(), word.end());
        best = max(best, ++groups[word]);
    }
    cout << best << '\n';
}
