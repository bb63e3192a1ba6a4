#include <cstdio>
#include <cstdlib>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (auto& x : a) scanf("%d", &x);
    int k = n / 2, l = 0, r = n - 1;
    srand(7);
    while (l < r) {
        int p = a[l + rand() % (r - l + 1)], i = l, j = r;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) swap(a[i++], a[j--]);
        }
        if (k <= j)
            r = j;
        else if (k >= i)
            l = i;
        else
            break;
    }
    printf("%d\n", a[k]);
}
