// Tries: to break or to hide the report by a file name with quotes and brackets. Must: still show the
// warning.
#line 1 "a\"}],[{\"kind\":\"note\\\\"
int f() { 1 / 0; }
int main() {}
