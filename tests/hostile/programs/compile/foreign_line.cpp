// Tries: to have its warnings taken for those of another file. Must: still show the warning.
#line 1 "/usr/include/c++/12/vector"
int f() { 1 / 0; }
int main() {}
