"""The checkers of the match modes: a class with `@match_mode` in a module of this folder is one."""
