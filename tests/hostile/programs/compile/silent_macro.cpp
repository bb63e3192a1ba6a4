// Tries: to keep warnings back, which would earn more. Must: not pass as clean.
#define DO(x) _Pragma(#x)
#define OFF(x) DO(GCC diagnostic ignored x)
OFF("-Wreturn-type") OFF("-Wdiv-by-zero")
int f() { 1 / 0; }
int main() {}
