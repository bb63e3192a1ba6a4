// std::upper_bound walks from node to node of a set: every crate passes all the stacks.
#include <algorithm>
#include <iostream>
#include <set>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::multiset<int> tops;
    for (int i = 0; i < n; i++) {
        int weight;
        std::cin >> weight;
        auto heavier = std::upper_bound(tops.begin(), tops.end(), weight);
        if (heavier != tops.end()) tops.erase(heavier);
        tops.insert(weight);
    }
    std::cout << tops.size() << '\n';
}
