// Tries: to have a file of the host quoted in an error. Must: fail, and quote nothing.
#include "/etc/passwd"
#include "/etc/shadow"
#include "../../../../../../etc/hostname"
#include "/etc/hosts"
int main() {}
