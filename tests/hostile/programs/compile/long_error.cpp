// Tries: to flood the report with one error: the name of a type that doubles at each step. Must: fail, with
// a report of bounded size.
template <class a, class b> struct pair {};
template <int n> struct grow { using type = pair<typename grow<n - 1>::type, typename grow<n - 1>::type>; };
template <> struct grow<0> { using type = int; };
int main() { grow<18>::type value = 1; }
