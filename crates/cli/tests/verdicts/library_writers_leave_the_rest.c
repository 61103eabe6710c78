// expect: true
extern void reach_error(void);
struct stat { long st_size; int st_mode; };
extern int stat(const char *, struct stat *);
extern int pipe(int *);
int main(void) {
  struct { int before; struct stat status; int after; } s = { 1, { 2, 3 }, 4 };
  int ends[3] = { 5, 6, 7 };
  stat("file", &s.status);
  pipe(ends);
  if (s.before != 1 || s.after != 4 || ends[2] != 7)
    reach_error();
  return 0;
}
