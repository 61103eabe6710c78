// expect: true property: valid-memsafety
int main(void) {
  const char *text = "constant";
  char copy[] = "own";
  copy[0] = text[7];
  return copy[0] + text[8];
}
