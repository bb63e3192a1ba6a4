// Tries: to make an executable of 2 GB. Must: fail at a limit or by an error.
char a[2000000000] = {1};
int main() { return a[12345]; }
