/* A ring buffer of jobs, as a scheduler would keep it. */
#include <stdio.h>
#include <stdlib.h>
#define CAPACITY 16
#define NEXT(i) (((i) + 1) % \
	CAPACITY)

typedef struct job {
	int id, priority;
	const char *name; // not owned
	double cost[3];
} job_t;

static job_t ring[CAPACITY] = { { 1, 2, "first", { 0.5, 1.5, 2.5 } }, { 2, 0, "second", { 0 } } };
static unsigned head = 0, tail = 2;

enum state { IDLE, RUNNING = 4, DONE, };

static int push(job_t job)
{
	if (NEXT(tail) == head)
		return -1;
	ring[tail] = job;
	tail = NEXT(tail);
	return 0;
}

static int pop(job_t *out)
{
	if (head == tail)
		return -1;
	*out = ring[head];
	head = NEXT(head);
	return 0;
}

static double total(const job_t *job)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		if (job->cost[i] < 0)
			continue;
		sum += job->cost[i] * (job->priority > 1 ? 2.0 : 1.0);
	}
	return sum;
}

static const char *describe(enum state s)
{
	switch (s) {
	case IDLE:
		return "idle";
	case RUNNING: /* fall through */
	case DONE:
		return "busy" " or " "done";
	default:
		return "?";
	}
}

int main(int argc, char **argv)
{
	job_t job = { .id = 3, .name = argc > 1 ? argv[1] : "third" };
	enum state s = IDLE;

	if (push(job) < 0 && fprintf(stderr, "full\n")) goto out;
	do {
		s = RUNNING;
		printf("%s %f %s\n", job.name, total(&job), describe(s));
	} while (pop(&job) == 0);
out:
	return s == IDLE ? EXIT_FAILURE : EXIT_SUCCESS;
}
