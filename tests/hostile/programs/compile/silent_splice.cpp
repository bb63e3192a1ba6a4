// Tries: to keep warnings back, which would earn more. Must: not pass as clean.
#pra\
gma GCC diag\
nostic ig\
nored "-Wreturn-type"
%: pragma GCC diagnostic/**/ignored "-Wdiv-by-zero"
int f() { 1 / 0; }
int main() {}
