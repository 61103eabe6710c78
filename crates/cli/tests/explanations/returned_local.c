static int *counter(void) {
  int count = 4;
  int *result = &count;
  return result;
}
int main(void) {
  int *p = counter();
  *p = 5;
  return 0;
}
