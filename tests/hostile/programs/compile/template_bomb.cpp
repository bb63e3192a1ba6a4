// Tries: to take the compiler's memory by templates that double at each step. Must: fail at a limit.
template <int n, int m> struct bomb { bomb<n - 1, 2 * m> left; bomb<n - 1, 2 * m + 1> right; };
template <int m> struct bomb<0, m> { int value; };
bomb<40, 1> all;
int main() {}
