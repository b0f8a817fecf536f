#define A(x) x + \
 1
int a = A(2)