// Tries: to keep warnings back, which would earn more. Must: not pass as clean.
# 1 "/usr/include/here.h" 1 3
int f() { 1 / 0; }
int main() {}
