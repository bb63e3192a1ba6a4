// Tries: to read the compiler's own streams. Must: fail, or find them empty.
#include "/dev/stdin"
#include "/proc/self/fd/0"
#include "/proc/self/fd/1"
int main() {}
