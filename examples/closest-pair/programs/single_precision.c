/* Must be wrong (WA) on far-out ships: a float keeps but seven digits of a coordinate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float x, y;
} Ship;

static int by_x(const void *a, const void *b) {
    float left = ((const Ship *)a)->x, right = ((const Ship *)b)->x;
    return (left > right) - (left < right);
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    Ship *ships = malloc(n * sizeof *ships);
    if (!ships) return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%f %f", &ships[i].x, &ships[i].y) != 2) return 1;
    qsort(ships, n, sizeof *ships, by_x);
    float best = 1e30f;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && ships[j].x - ships[i].x < best; j++) {
            float dx = ships[i].x - ships[j].x, dy = ships[i].y - ships[j].y;
            float distance = sqrtf(dx * dx + dy * dy);
            if (distance < best) best = distance;
        }
    printf("%.9f\n", best);
    free(ships);
    return 0;
}
