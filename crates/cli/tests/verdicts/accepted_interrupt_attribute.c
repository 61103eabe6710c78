// expect: true
extern void reach_error(void);
__attribute__((interrupt)) void handler(void *frame) { (void)frame; }
int main(void) { return 0; }
