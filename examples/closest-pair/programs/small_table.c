/* Must crash (RTE) on the large test: it claims that there are never more than 1000 ships. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

static double x[1000], y[1000];

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    assert(n <= 1000);
    double best = 1e18;
    for (int i = 0; i < n; i++) {
        if (scanf("%lf %lf", &x[i], &y[i]) != 2) return 1;
        for (int j = 0; j < i; j++) best = fmin(best, hypot(x[i] - x[j], y[i] - y[j]));
    }
    printf("%.9f\n", best);
    return 0;
}
