// expect: true property: no-uninitialised-read
struct pair { char first; int second; };
int sink;
int main(void) {
  int x, y;
  struct pair a, b;
  y = x;
  a.second = 3;
  b = a;
  x = 1;
  if (b.second == 3 && x == 1)
    return 1;
  return 0;
}
