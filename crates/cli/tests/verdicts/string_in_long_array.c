// expect: true
extern void reach_error(void);
static char global[3000000] = "text";
struct record { char name[20]; int number; } fixed = { .name = "long name", .number = 3, .name = "short" };
int main(void) {
  char local[1000000] = "abc", exact[3] = "xyz";
  struct record record = { .name = "long name", .number = 3, .name = "short" };
  if (local[2] != 'c' || local[3] || local[999999] || global[3] != 't' || global[2999999] || exact[2] != 'z')
    reach_error();
  if (record.name[4] != 't' || record.name[5] || record.name[6] || record.number != 3 || fixed.name[6] || fixed.name[4] != 't')
    reach_error();
  return 0;
}
