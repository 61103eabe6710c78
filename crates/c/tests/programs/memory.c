// Pointers, arrays, structures, unions, bit-fields, initialisers, copies.
extern void __VERIFIER_error(void);
typedef __SIZE_TYPE__ size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t); void *memmove(void *, const void *, size_t);
#define CHECK(c) do { if (!(c)) __VERIFIER_error(); } while (0)
struct point { int x, y; };
struct node { int value; struct node *next; };
struct mixed { char c; double d; short s; struct point p[2]; union { int i; char b[4]; } u; };
struct bits { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 17; _Bool d : 1; long long e : 40; };
struct __attribute__((packed)) packed { char c; int i; short s; };
struct flexible { int count; int items[]; };
struct point origin = { .y = 2, .x = 1 };
struct mixed global = { 'a', 2.5, -3, { { 1, 2 }, [1].y = 9 }, .u.b = { 1, 2, 3, 4 } };
int table[3][4] = { { 1 }, [2] = { 5, 6, [3] = 8 } };
int *inner = &table[2][1];
char text[] = "hello", cut[3] = "abc", *words[] = { "one", "two" };
struct bits field = { 5, -3, 70000, 1, -1LL };
struct flexible tail = { 3, { 7, 8, 9 } };
struct point make(int x, int y) { struct point p = { x, y }; return p; }
int sum(struct point p) { p.x += p.y; return p.x; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) {
  int a = 3, b = 4; swap(&a, &b); CHECK(a == 4 && b == 3);
  CHECK(origin.x == 1 && origin.y == 2);
  CHECK(global.c == 'a' && global.d == 2.5 && global.s == -3 && global.p[0].y == 2 && global.p[1].x == 0 && global.p[1].y == 9);
  CHECK(global.u.i == 0x04030201);
  CHECK(table[0][0] == 1 && table[0][1] == 0 && table[1][2] == 0 && table[2][3] == 8 && *inner == 6 && inner[-1] == 5);
  CHECK(sizeof text == 6 && text[4] == 'o' && text[5] == 0 && cut[2] == 'c' && words[1][0] == 't');
  CHECK(field.a == 5 && field.b == -3 && field.c == 70000 && field.d == 1 && field.e == -1);
  field.a += 4; CHECK(field.a == 1); field.b = 15; field.b++; CHECK(field.b == -16); field.e = 1LL << 39; CHECK(field.e == -(1LL << 39));
  CHECK((field.a = 9) == 1); CHECK(field.d-- == 1 && field.d == 0 && field.c == 70000);
  CHECK(tail.items[2] == 9 && sizeof(struct packed) == 7);
  struct packed pk = { 1, 0x01020304, 5 }; CHECK(pk.i == 0x01020304 && ((char *)&pk)[1] == 4 && pk.s == 5);
  struct point p = make(5, 6), q; q = p; q.x = 1; CHECK(p.x == 5 && sum(p) == 11 && p.x == 5 && make(7, 8).y == 8);
  struct point *pp = &q; pp->y = 10; (*pp).x++; CHECK(q.x == 2 && q.y == 10);
  struct mixed m = { .p[1] = { 3, 4 }, .c = 'z' }; CHECK(m.p[1].x == 3 && m.d == 0 && m.u.i == 0);
  int v[5] = { [3] = 1, 2 }; CHECK(v[0] == 0 && v[3] == 1 && v[4] == 2);
  int *r = v + 1; CHECK(*r++ == 0 && r - v == 2 && r[1] == 1 && *(1 + r) == 1 && &v[4] - r == 2 && r > v);
  r += 2; CHECK(*r == 2); r -= 1; CHECK(*--r == 0 && r == &v[2]);
  char *bytes = (char *)v; bytes[12] = 7; CHECK(v[3] == 7);
  struct node *list = 0;
  for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->value = i; n->next = list; list = n; }
  int total = 0; for (struct node *n = list; n; n = n->next) total = total * 10 + n->value; CHECK(total == 3210);
  while (list) { struct node *n = list->next; free(list); list = n; }
  int *h = calloc(4, sizeof(int)); CHECK(h[3] == 0); h[1] = 5; h = realloc(h, 8 * sizeof(int)); CHECK(h[1] == 5 && h[3] == 0); h[7] = 1; free(h);
  int x[4] = { 1, 2, 3, 4 }, y[4]; memcpy(y, x, sizeof x); memmove(y + 1, y, 2 * sizeof(int)); CHECK(y[0] == 1 && y[1] == 1 && y[2] == 2 && y[3] == 4);
  memset(y, 0xff, 8); CHECK(y[1] == -1 && y[2] == 2);
  struct point *lit = &(struct point){ 4, .y = 5 }; CHECK(lit->x + lit->y == 9 && ((int[]){ 1, 2, 3 })[1] == 2);
  int (*row)[4] = &table[1]; (*row)[0] = 3; row++; CHECK(table[1][0] == 3 && (*row)[0] == 5);
  const char *s = "abc"; CHECK("abc"[1] == 'b' && s[3] == 0 && *s == 'a');
  CHECK((size_t)&((struct mixed *)0)->s == __builtin_offsetof(struct mixed, s));
  void *vp = &a; CHECK(*(int *)vp == 4 && (vp != 0) && !(vp == 0));
  unsigned long address = (unsigned long)&a; *(int *)address = 77; CHECK(a == 77);
  struct { struct point in; int z; } nested = { { 1, 2 }, 3 }; struct point *ip = &nested.in; ip->y = 8; CHECK(nested.in.y == 8 && nested.z == 3);
  return 0;
}
