// Tries: to take the compiler's memory by macros that grow tenfold at each step. Must: fail at a limit.
#define A 1,1,1,1,1,1,1,1,1,1,
#define B A A A A A A A A A A
#define C B B B B B B B B B B
#define D C C C C C C C C C C
#define E D D D D D D D D D D
#define F E E E E E E E E E E
#define G F F F F F F F F F F
#define H G G G G G G G G G G
#define I H H H H H H H H H H
int a[] = {I I I I I I I I I I};
int main() {}
