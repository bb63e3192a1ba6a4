// Tries: to make an object file of several GiB. Must: fail at a limit or by an error.
asm(".data\n.fill 0x40000000, 4, 7\n");
int main() {}
