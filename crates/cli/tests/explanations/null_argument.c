static int length(const char *text) {
  int n = 0;
  while (text[n])
    n++;
  return n;
}
int main(void) {
  return length(0);
}
