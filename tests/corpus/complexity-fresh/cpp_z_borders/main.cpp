#include <iostream>
#include <string>
#include <vector>
using namespace std;

// Prints the shortest period of a string and how many borders it has.
vector<int> zFunction(const string& s) {
    int n = s.size();
    vector<int> z(n, 0);
    for (int i = 1, l = 0, r = 0; i < n; i++) {
        if (i < r) z[i] = min(r - i, z[i - l]);
        while (i + z[i] < n && s[z[i]] == s[i + z[i]]) z[i]++;
        if (i + z[i] > r) {
            l = i;
            r = i + z[i];
        }
    }
    return z;
}

int main() {
    ios_base::sync_with_stdio(false);
    cin.tie(nullptr);
    string s;
    cin >> s;
    vector<int> z = zFunction(s);
    int n = s.size(), period = n, borders = 0;
    for (int i = n - 1; i > 0; i--) {
        if (i + z[i] == n) {
            borders++;
            period = i;
        }
    }
    cout << period << " " << borders << endl;
    return 0;
}
