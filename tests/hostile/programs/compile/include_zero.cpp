// Tries: to make the compiler read a device without end. Must: fail at a limit or by an error.
#include "/dev/zero"
int main() {}
