// expect: false(no-uninitialised-read) property: no-uninitialised-read
struct pair { char first; int second; };
int main(void) {
  struct pair a, b;
  a.second = 3;
  b = a;
  if (b.first) // violation
    return 1;
  return 0;
}
