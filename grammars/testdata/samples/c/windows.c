#include <a.h>
int main(void) {
	return f(1, 2) ? "x\n"[0] : 'c'; // end
}
