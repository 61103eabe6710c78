// expect: false(valid-deref) property: valid-memsafety
extern char *strcpy(char *, const char *);
int main(void) {
  char *text = "abc";
  strcpy(text, "x");
  return 0;
}
