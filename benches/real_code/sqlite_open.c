/* Opens a database in memory, from which most of the library can be reached. */
#include "sqlite3.c"

int main(void) {
  sqlite3 *database;
  return sqlite3_open(":memory:", &database);
}
