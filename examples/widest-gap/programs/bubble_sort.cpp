// Must be too slow (TLE) on the large test: its sort takes n * n steps.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> places(n);
    for (int& place : places) std::cin >> place;
    for (int end = n; end > 1; end--)
        for (int i = 1; i < end; i++)
            if (places[i] < places[i - 1]) std::swap(places[i], places[i - 1]);
    int widest = 0;
    for (int i = 1; i < n; i++) widest = std::max(widest, places[i] - places[i - 1]);
    std::cout << widest << '\n';
}
