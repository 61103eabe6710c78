#include <string.h>
int main(void) {
  char name[4];
  strcpy(name, "four");
  return name[0];
}
