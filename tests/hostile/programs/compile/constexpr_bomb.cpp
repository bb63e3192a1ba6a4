// Tries: to compute for ever at compile time. Must: fail.
constexpr long spin(long n) { long s = 0; for (long i = 0; i < n; i++) for (long k = 0; k < n; k++) s ^= i * k; return s; }
template <long n> struct many { static constexpr long value = spin(5000 + n) + many<n - 1>::value; };
template <> struct many<0> { static constexpr long value = 0; };
static_assert(many<400>::value != 1);
int main() {}
