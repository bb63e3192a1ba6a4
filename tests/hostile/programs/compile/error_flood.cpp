// Tries: to flood the report with errors. Must: fail, with a report of bounded size.
#define E1 x y z;
#define E2 E1 E1 E1 E1 E1 E1 E1 E1 E1 E1
#define E3 E2 E2 E2 E2 E2 E2 E2 E2 E2 E2
#define E4 E3 E3 E3 E3 E3 E3 E3 E3 E3 E3
int main() { E4 E4 E4 E4 E4 E4 E4 E4 E4 E4 }
