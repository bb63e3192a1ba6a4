// Tries: to have the compiler's surroundings quoted in an error. Must: fail, and quote nothing of the
// judge.
#include "/proc/self/environ"
#include "/proc/self/mountinfo"
#include "/proc/self/maps"
#include "/proc/1/environ"
#include "/proc/self/cmdline"
int main() {}
