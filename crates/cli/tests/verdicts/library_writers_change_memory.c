// expect: false(unreach-call)
extern void reach_error(void);
struct timeval { long tv_sec; long tv_usec; };
extern int gettimeofday(struct timeval *, void *);
extern long recv(int, void *, unsigned long, int);
int main(void) {
  struct timeval now = { 1, 2 };
  char buffer[4] = "abc";
  gettimeofday(&now, 0);
  recv(0, buffer, 2, 0);
  if (buffer[2] != 'c')
    return 0;
  if (now.tv_sec == 77 && buffer[0] == 'z')
    reach_error(); // violation
  return 0;
}
