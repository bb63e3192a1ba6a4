// People fit into 32 bits; people times distance do not.
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
    long long total = 0;
    for (auto [place, people] : villages) total += 1LL * people * std::abs(place - site);
    std::cout << site << ' ' << total << '\n';
}
