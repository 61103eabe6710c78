int table[20];
int get(int i) {
  return table[i];
}
int main(void) {
  return get(20);
}
