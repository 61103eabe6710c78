// expect: false(unreach-call)
// A variable that another file defines has any value; the harness defines it.
extern void reach_error(void);
extern unsigned int limit;
extern const short step;
int main(void) {
  if (limit == 4000000000u && step == -3) reach_error();
  return 0;
}
