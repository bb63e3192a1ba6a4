// Tries: to include itself without end, twice at each level. Must: fail.
#include __FILE__
#include __FILE__
int main() {}
