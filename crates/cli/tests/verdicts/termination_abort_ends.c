// expect: true property: termination also: termination
// A call that does not come back ends the execution.
extern void abort(void);
int main(void) {
    while (1)
        abort();
}
