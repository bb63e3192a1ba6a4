// Tries: to steer the linker and the loader from the object file. Must: fail, or run as any program; a
// forged interpreter is refused by a static link.
asm(".section .interp,\"a\"\n.asciz \"/w/evil\"\n.section .note.GNU-stack,\"x\"\n.section .gnu.warning.main\n.ascii \"forged\"\n.text\n");
int main() {}
