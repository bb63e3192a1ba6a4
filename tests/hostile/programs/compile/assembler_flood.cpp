// Tries: to have the assembler write without end. Must: fail at a limit or by an error.
asm(".rept 1000000000\n.quad 1\n.endr\n");
int main() {}
