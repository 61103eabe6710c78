// expect: true
// property: valid-memsafety
#include <stdio.h>

int main(void) {
    FILE *in = fopen("/etc/hostname", "r"), *out = tmpfile();
    if (in && out) {
        char line[32];
        if (fgets(line, sizeof line, in))
            fputc(line[0], out);
        fprintf(stderr, "done\n");
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    fflush(0);
    return fclose(stdin);
}
