// Tries: to keep warnings back, which would earn more. Must: not pass as clean.
#pragma GCC optimize("-w")
#pragma GCC optimize("no-diagnostics-show-option")
int f() { 1 / 0; }
int main() {}
