int main(void) {
  int limit;
  int values[3] = {1, 2, 3};
  for (int i = 0; i < 3; i++)
    if (values[i] > 5)
      limit = i;
  if (limit == 2)
    return 1;
  return 0;
}
