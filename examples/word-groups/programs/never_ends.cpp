// Must write too much (OLE) on every test: the loop never ends.
#include <iostream>
#include <string>

int main() {
    std::string word;
    std::cin >> word;
    for (int attempt = 1; word != ""; attempt++)
        std::cout << "Attempt " << attempt << " to find the other words that belong to " << word
                  << ", one letter after the other, has found none of them so far.\n";
}
