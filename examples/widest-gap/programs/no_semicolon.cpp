// Must not compile (CE): a semicolon is missing.
#include <iostream>

int main() {
    int n
    std::cin >> n;
    std::cout << n << '\n';
}
