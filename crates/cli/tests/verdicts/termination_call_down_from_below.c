// expect: unknown property: termination also: termination time: 5s
// It starts below the number at which it stops, beside a pointer that says nothing of that.
extern void *malloc(unsigned long);
struct node { struct node *next; };
struct node *list(struct node *p, int n) {
    if (n == 0)
        return p;
    struct node *x = malloc(sizeof *x);
    x->next = list(p, n - 1);
    return x;
}
int main(void) {
    struct node *x = malloc(sizeof *x);
    x->next = list(x, -1);
    return 0;
}
