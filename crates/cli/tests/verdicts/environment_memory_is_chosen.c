// expect: false(unreach-call)

// A pointer from outside may point to memory that somebody else made, and so may the pointers in there.
extern void reach_error(void);

struct node {
    int kind;
    struct node *next;
    int data[4];
};
extern struct node *given(void);

int main(void) {
    struct node *first = given();
    if (!first)
        return 0;
    first->kind = 3;
    if (first->next && first->next->data[2] == 77 && first->kind == 3 && first->data[1] == -5)
        reach_error();
    return 0;
}
