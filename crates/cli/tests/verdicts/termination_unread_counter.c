// expect: false(termination) property: termination also: termination
// What nothing reads does not keep states apart.
int main(void) {
    unsigned long long ticks = 0;
    int on = 1;
    while (on)
        ticks++;
    return 0;
}
