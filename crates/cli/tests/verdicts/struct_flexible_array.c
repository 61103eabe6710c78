// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#include <stdlib.h>
struct message {
  int length;
  char text[];
};
int main(void) {
  struct message *m = malloc(sizeof(struct message) + 3);
  m->length = 3;
  for (int i = 0; i < m->length; i++)
    m->text[i] = 'a' + i;
  check(m->text[2] == 'c' && m->length == 3);
  check(sizeof(struct message) == 4);
  free(m);
  return 0;
}
