#include <cstdio>

// The civil date and the weekday of day n after 1970-01-01.
int main() {
    long long n;
    scanf("%lld", &n);
    static const char* names[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    long long z = n + 719468;
    long long era = z / 146097;
    long long doe = z - era * 146097;
    long long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    long long year = yoe + era * 400;
    long long doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    long long mp = (5 * doy + 2) / 153;
    long long day = doy - (153 * mp + 2) / 5 + 1;
    long long month = mp < 10 ? mp + 3 : mp - 9;
    if (month <= 2) year++;
    printf("%lld-%02lld-%02lld %s\n", year, month, day, names[n % 7]);
    return 0;
}
