int main(void) {
  char *s = "text";
  s[0] = 84;
  return 0;
}
