// The library functions that are written in C.
extern void __VERIFIER_error(void);
typedef __SIZE_TYPE__ size_t;
size_t strlen(const char *); char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);
int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t); char *strchr(const char *, int); char *strrchr(const char *, int);
char *strstr(const char *, const char *); char *strdup(const char *); int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t);
void free(void *); int abs(int); int atoi(const char *); int isdigit(int); int toupper(int); size_t strspn(const char *, const char *); int printf(const char *, ...);
int puts(const char *); long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
#define CHECK(c) do { if (!(c)) __VERIFIER_error(); } while (0)
int main(void) {
  char b[16];
  CHECK(strlen("hello") == 5 && strlen("") == 0 && __builtin_strlen("ab") == 2);
  strcpy(b, "abc"); CHECK(!strcmp(b, "abc") && b[3] == 0); strcat(b, "de"); CHECK(strcmp(b, "abcde") == 0 && strcmp(b, "abd") < 0 && strcmp(b, "ab") > 0);
  CHECK(strncmp("abx", "aby", 2) == 0 && strncmp("abx", "aby", 3) < 0);
  strncpy(b, "xy", 5); CHECK(b[1] == 'y' && b[2] == 0 && b[4] == 0 && b[5] == 0);
  CHECK(strchr("hello", 'l')[1] == 'l' && strrchr("hello", 'l')[1] == 'o' && !strchr("hello", 'z') && *strchr("hello", 0) == 0);
  CHECK(strstr("needle in hay", "in")[3] == 'h' && !strstr("abc", "abd"));
  char *d = strdup("copy"); CHECK(strlen(d) == 4 && d[3] == 'y'); free(d);
  CHECK(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0 && memchr("abc", 'c', 3) != 0 && memchr("abc", 'c', 2) == 0);
  CHECK(abs(-5) == 5 && atoi(" -42x") == -42 && isdigit('7') && !isdigit('x') && toupper('q') == 'Q' && strspn("aab", "a") == 2);
  char *end; CHECK(strtol(" -12z", &end, 10) == -12 && *end == 'z' && strtoul("0x1fg", &end, 0) == 31 && *end == 'g' && strtol("077", 0, 0) == 63);
  CHECK(strtol("zz", &end, 10) == 0 && *end == 'z' && end[1] == 'z');
  int list[5] = { 4, 1, 5, 2, 3 }, key = 4; qsort(list, 5, sizeof(int), ascending); CHECK(list[0] == 1 && list[2] == 3 && list[4] == 5);
  CHECK(bsearch(&key, list, 5, sizeof(int), ascending) == &list[3]); key = 9; CHECK(!bsearch(&key, list, 5, sizeof(int), ascending));
  printf("%d\n", 3); puts("x");
  return 0;
}
