static short board[3][4];
int main(void) {
  int row = 3;
  board[row][1] = 1;
  return 0;
}
