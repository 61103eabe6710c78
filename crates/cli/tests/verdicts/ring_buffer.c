// expect: true
extern void reach_error(void);
static void check(int condition) {
  if (!condition)
    reach_error();
}

#define SIZE 3
int buffer[SIZE], head, tail, count;
int push(int x) {
  if (count == SIZE)
    return 0;
  buffer[tail] = x;
  tail = (tail + 1) % SIZE;
  count++;
  return 1;
}
int pop(void) {
  int x = buffer[head];
  head = (head + 1) % SIZE;
  count--;
  return x;
}
int main(void) {
  check(push(1) && push(2) && push(3) && !push(4));
  check(pop() == 1);
  check(push(5));
  check(pop() == 2 && pop() == 3 && pop() == 5 && count == 0);
  return 0;
}
