/* Tries: to have the cell remove a file of somebody else: the folder of a file that was placed for it
 * becomes a link to another folder, which holds a file of that name (its argument). Must: leave
 * that folder alone. */
#include "attempt.h"
int main(int argc, char **argv)
{
    if (argc != 2 || rename("placed", "moved") || symlink(argv[1], "placed")) return 1;
    return 0;
}
