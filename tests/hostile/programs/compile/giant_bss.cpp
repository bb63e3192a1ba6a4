// Tries: to make a program that needs 2 GB, and costs nothing to compile. Must: compile; a run of it meets
// the memory limit as it touches them.
char a[2000000000];
int main() { for (unsigned long i = 0; i < sizeof a; i += 4096) a[i] = 1; return a[12345]; }
