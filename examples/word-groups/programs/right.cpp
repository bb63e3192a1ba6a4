// Must pass every test: a map from sorted letters to words.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::map<std::string, std::vector<std::string>> groups;
    for (std::string word; std::cin >> word;) {
        std::string key = word;
        std::sort(key.begin(), key.end());
        groups[key].push_back(word);
    }
    for (auto& [key, words] : groups) {
        std::sort(words.begin(), words.end());
        for (std::size_t i = 0; i < words.size(); i++) std::cout << (i ? " " : "") << words[i];
        std::cout << '\n';
    }
}
