// Tries: to fill the compiler with random bytes and the report with what it makes of them. Must: fail.
#include "/dev/urandom"
int main() {}
