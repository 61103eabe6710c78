// expect: false(unreach-call) config: bmc

// Registers are the same in every round, but a new object is at the end of the list.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void) {
    struct node head = {0};
    while (__VERIFIER_nondet_int()) {
        struct node **end = &head.next;
        while (*end)
            end = &(*end)->next;
        *end = calloc(1, sizeof(struct node));
        if (!*end)
            return 0;
    }
    if (head.next && head.next->next && head.next->next->next)
        reach_error();
    return 0;
}
