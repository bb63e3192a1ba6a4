// The sum of all walks is kept in 32 bits, which far villages overflow.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<std::pair<int, int>> villages(n);
    int everyone = 0;
    for (auto& [place, people] : villages) {
        std::cin >> place >> people;
        everyone += people;
    }
    std::sort(villages.begin(), villages.end());
    int site = 0, reached = 0;
    for (auto [place, people] : villages) {
        reached += people;
        if (reached >= everyone - reached) {
            site = place;
            break;
        }
    }
    int total = 0;
    for (auto [place, people] : villages) total += people * std::abs(place - site);
    std::cout << site << ' ' << total << '\n';
}
