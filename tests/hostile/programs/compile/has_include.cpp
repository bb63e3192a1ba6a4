// Tries: to learn whether files of the host exist, by what compiles. Must: learn that none does.
#if __has_include("/etc/passwd") || __has_include("@SECRET@") || __has_include("/etc/hostname") \
    || __has_include("/root/.bashrc") || __has_include("@ROOT@/pyproject.toml")
#error "GOT THROUGH"
#endif
int main() {}
