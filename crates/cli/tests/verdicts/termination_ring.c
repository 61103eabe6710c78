// expect: false(termination) property: termination also: termination
// A list whose end is its beginning.
extern void *malloc(unsigned long);
struct node { struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = a;
    for (struct node *p = a; p; p = p->next)
        ;
    return 0;
}
