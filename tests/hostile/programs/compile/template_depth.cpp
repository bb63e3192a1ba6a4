// Tries: to recurse without end by templates, each level with an error of its own. Must: fail.
template <int n> struct deep { static constexpr int value = deep<n + 1>::value + undefined_thing<n>; };
int main() { return deep<0>::value; }
