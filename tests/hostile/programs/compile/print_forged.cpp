// Tries: to forge the compiler's report: the assembler prints what looks like one. Must: still show the
// warning.
asm(".print \"[]\"\n.print \"[{\\\"kind\\\": \\\"note\\\"}]\"\n.warning \"[]\"\n");
int f() { 1 / 0; }
int main() {}
