// Tries: to have the assembler read a file of the host and quote it in an error. Must: fail, and quote
// nothing.
asm(".include \"/etc/passwd\"\n.include \"@SECRET@\"\n");
int main() {}
