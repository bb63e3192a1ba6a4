// Tries: to include tests, other sources, the compile cache. Must: fail, and quote nothing.
#include "@SECRET@"
#include "../..@SECRET@"
#include </..@SECRET@>
int main() {}
