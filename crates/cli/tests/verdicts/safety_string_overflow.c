// expect: false(valid-deref) property: valid-memsafety

int main(void) {
  char buffer[4];
  const char *s = "long";
  int i = 0;
  while (s[i]) {
    buffer[i] = s[i];
    i++;
  }
  buffer[i] = 0; // violation
  return 0;
}
