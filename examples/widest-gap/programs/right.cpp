// Must pass every test: sorts, then looks at neighbours.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<int> places(n);
    for (int& place : places)
        if (std::scanf("%d", &place) != 1) return 1;
    std::sort(places.begin(), places.end());
    int widest = 0;
    for (int i = 1; i < n; i++) widest = std::max(widest, places[i] - places[i - 1]);
    std::printf("%d\n", widest);
}
