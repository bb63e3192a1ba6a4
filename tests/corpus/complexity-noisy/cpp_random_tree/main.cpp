#include <cstdio>
struct N {
    int k;
    N *l = 0, *r = 0;
};
N* ins(N* t, int k) {
    if (!t) return new N{k};
    if (k < t->k)
        t->l = ins(t->l, k);
    else
        t->r = ins(t->r, k);
    return t;
}
int h(N* t) { return t ? 1 + (h(t->l) > h(t->r) ? h(t->l) : h(t->r)) : 0; }
int main() {
    int n;
    scanf("%d", &n);
    N* t = 0;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        t = ins(t, x);
    }
    long long c = 0;
    for (N* p = t; p; p = p->l) c += p->k;
    printf("%lld\n", c);
}
