struct frame {
  int length;
  char name[4];
};
int main(void) {
  struct frame f = {5, "abc"};
  char last = f.name[f.length];
  return last;
}
