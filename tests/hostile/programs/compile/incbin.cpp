// Tries: to take a file of the host into the program by the assembler. Must: fail.
asm(".section .rodata\nstart: .incbin \"/etc/passwd\"\n.incbin \"@SECRET@\"\n");
int main() {}
