// Tries: to keep warnings back, which would earn more. Must: not pass as clean.
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
int f() { 1 / 0; }
int main() {}
