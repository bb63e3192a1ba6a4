// Tries: to keep warnings back, which would earn more. Must: not pass as clean.
#pragma GCC system_header
# 5 "here.h" 1 3
int f() { 1 / 0; }
int main() {}
