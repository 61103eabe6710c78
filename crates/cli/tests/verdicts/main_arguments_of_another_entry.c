// expect: unknown property: valid-memsafety
// A pointer to pointers to numbers is no list of arguments.
int main(int argc, int **list) { return argc > 1 && list[1][0]; }
