// n=90 ms=1000 mib=256
#include <iostream>
long long fib(int n) {
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
}
int main() {
    int n;
    std::cin >> n;
    std::cout << fib(n);
}
