#include <cmath>
#include <iostream>
using namespace std;

int main() {
    long long n;
    cin >> n;
    long long ways = 0, firstA = -1, firstB = -1;
    for (long long a = 0; 2 * a * a <= n; a++) {
        long long rest = n - a * a;
        long long b = sqrtl(rest);
        while (b * b > rest) b--;
        while ((b + 1) * (b + 1) <= rest) b++;
        if (b * b == rest) {
            if (ways == 0) firstA = a, firstB = b;
            ways++;
        }
    }
    cout << ways;
    if (ways > 0) cout << " " << firstA << " " << firstB;
    cout << endl;
    return 0;
}
