// Must use too much memory (MLE) where the road is long: one byte for every metre of it.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, longest = 0;
    std::cin >> n;
    std::vector<int> places(n);
    for (int& place : places) {
        std::cin >> place;
        longest = std::max(longest, place);
    }
    std::vector<char> tree(longest + 1, 'n');
    for (int place : places) tree[place] = 'y';
    int widest = 0, before = -1;
    for (int place = 0; place <= longest; place++) {
        if (tree[place] == 'n') continue;
        if (before >= 0) widest = std::max(widest, place - before);
        before = place;
    }
    std::cout << widest << '\n';
}
