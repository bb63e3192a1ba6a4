// Must not compile (CE): the header for std::map is not the only thing that is missing.
#include <iostream>

int main() {
    std::map<std::string, int> groups;
    std::cout << count << '\n';
}
