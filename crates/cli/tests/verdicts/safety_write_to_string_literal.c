// expect: false(valid-deref) property: valid-memsafety
int main(void) {
  char *text = "constant";
  text[0] = 'C'; // violation
  return 0;
}
