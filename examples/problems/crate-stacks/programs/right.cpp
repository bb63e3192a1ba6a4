// The set's own upper_bound goes down its tree.
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
        auto heavier = tops.upper_bound(weight);
        if (heavier != tops.end()) tops.erase(heavier);
        tops.insert(weight);
    }
    std::cout << tops.size() << '\n';
}
