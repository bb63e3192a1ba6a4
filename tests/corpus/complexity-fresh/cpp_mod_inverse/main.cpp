#include <iostream>
using namespace std;
using ll = long long;

ll gcdExtended(ll a, ll b, ll& x, ll& y) {
    if (b == 0) {
        x = 1;
        y = 0;
        return a;
    }
    ll x1, y1;
    ll g = gcdExtended(b, a % b, x1, y1);
    x = y1;
    y = x1 - (a / b) * y1;
    return g;
}

int main() {
    ll a, m;
    cin >> a >> m;
    ll x, y;
    ll g = gcdExtended(a, m, x, y);
    if (g != 1) {
        cout << "no inverse, gcd " << g << endl;
    } else {
        cout << (x % m + m) % m << endl;
    }
}
