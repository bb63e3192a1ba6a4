// Tries: to keep warnings back, which would earn more. Must: not pass as clean.
_Pragma("GCC diagnostic ignored \"-Wreturn-type\"") _Pragma("GCC diagnostic ignored \"-Wdiv-by-zero\"")
int f() { 1 / 0; }
int main() {}
