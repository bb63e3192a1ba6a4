// n=10000000 ms=1000 mib=256
#include <cstdio>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<bool> composite(n + 1);
    int primes = 0;
    for (int i = 2; i <= n; i++) {
        if (composite[i]) continue;
        primes++;
        for (long long j = 1LL * i * i; j <= n; j += i) composite[j] = true;
    }
    printf("%d\n", primes);
}
