// Tries: to have the compiler write elsewhere: dump options and plugins in pragmas. Must: not matter: the
// program compiles with a warning, or fails.
#pragma GCC optimize ("dump-tree-all")
#pragma GCC optimize ("-fplugin=./evil.so")
#pragma GCC optimize ("-o/w/other")
#pragma comment(linker, "/include:evil")
#pragma comment(lib, "evil")
#pragma GCC pch_preprocess "/etc/passwd"
__attribute__((optimize("-fdump-final-insns=/w/main"))) int main() {}
