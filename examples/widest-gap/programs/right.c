/* Must pass every test: the pigeonhole way, without sorting. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    int *place = malloc(n * sizeof *place);
    if (!place) return 1;
    int low = 1000000000, high = 0;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &place[i]) != 1) return 1;
        if (place[i] < low) low = place[i];
        if (place[i] > high) high = place[i];
    }
    int width = (high - low) / n + 1;
    int *first = malloc((n + 1) * sizeof *first), *last = malloc((n + 1) * sizeof *last);
    if (!first || !last) return 1;
    for (int i = 0; i <= n; i++) first[i] = -1;
    for (int i = 0; i < n; i++) {
        int bucket = (place[i] - low) / width;
        if (first[bucket] < 0) first[bucket] = last[bucket] = place[i];
        if (place[i] < first[bucket]) first[bucket] = place[i];
        if (place[i] > last[bucket]) last[bucket] = place[i];
    }
    int widest = 0, before = low;
    for (int i = 0; i <= n; i++) {
        if (first[i] < 0) continue;
        if (first[i] - before > widest) widest = first[i] - before;
        before = last[i];
    }
    printf("%d\n", widest);
    free(place);
    free(first);
    free(last);
    return 0;
}
