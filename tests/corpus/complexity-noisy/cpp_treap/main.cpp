#include <bits/stdc++.h>
using namespace std;
struct T {
    int k, p;
    T *l, *r;
};
typedef T* t;
void sp(t x, int k, t& a, t& b) {
    if (!x) {
        a = b = 0;
        return;
    }
    if (x->k < k) {
        sp(x->r, k, x->r, b);
        a = x;
    } else {
        sp(x->l, k, a, x->l);
        b = x;
    }
}
void in(t& x, t y) {
    if (!x)
        x = y;
    else if (y->p > x->p) {
        sp(x, y->k, y->l, y->r);
        x = y;
    } else
        in(y->k < x->k ? x->l : x->r, y);
}
int main() {
    int n;
    scanf("%d", &n);
    mt19937 g(5);
    t r = 0;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        in(r, new T{x, (int)(g() >> 1), 0, 0});
    }
    printf("%d\n", r->k);
}
