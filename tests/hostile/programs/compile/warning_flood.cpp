// Tries: to flood the report with warnings, so that it is cut short and none is seen. Must: not pass as
// clean, with a report of bounded size.
#define W1 { int a = 1; a == 1 << 40; }
#define W2 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3 W3 W3
int main() { W4 W4 W4 W4 W4 }
