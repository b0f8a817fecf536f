#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small routines of a scheduler: queues, tables, checksums and simulations. */

struct task {
	int key;
	int weight;
	struct task *next;
};

static struct task *task_add(struct task *head, int key, int weight)
{
	struct task *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key;
	e->weight = weight;
	e->next = head;
	return e;
}

static int task_weight(const struct task *head, int least)
{
	int sum = 0;

	for (; head; head = head->next)
		if (head->key >= least)
			sum += head->weight * 2;
	return sum;
}

static struct task *task_reverse(struct task *head)
{
	struct task *done = NULL;

	while (head) {
		struct task *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

struct slot {
	long key;
	int weight;
	struct slot *next;
};

static struct slot *slot_add(struct slot *head, long key, int weight)
{
	struct slot *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key;
	e->weight = weight;
	e->next = head;
	return e;
}

static int slot_weight(const struct slot *head, long least)
{
	int sum = 0;

	for (; head; head = head->next)
		if (head->key >= least)
			sum += head->weight * 3;
	return sum;
}

static struct slot *slot_reverse(struct slot *head)
{
	struct slot *done = NULL;

	while (head) {
		struct slot *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

struct route {
	unsigned key;
	int weight;
	struct route *next;
};

static struct route *route_add(struct route *head, unsigned key, int weight)
{
	struct route *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key;
	e->weight = weight;
	e->next = head;
	return e;
}

static int route_weight(const struct route *head, unsigned least)
{
	int sum = 0;

	for (; head; head = head->next)
		if (head->key >= least)
			sum += head->weight * 4;
	return sum;
}

static struct route *route_reverse(struct route *head)
{
	struct route *done = NULL;

	while (head) {
		struct route *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

struct block {
	short key;
	int weight;
	struct block *next;
};

static struct block *block_add(struct block *head, short key, int weight)
{
	struct block *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key;
	e->weight = weight;
	e->next = head;
	return e;
}

static int block_weight(const struct block *head, short least)
{
	int sum = 0;

	for (; head; head = head->next)
		if (head->key >= least)
			sum += head->weight * 5;
	return sum;
}

static struct block *block_reverse(struct block *head)
{
	struct block *done = NULL;

	while (head) {
		struct block *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

struct cache {
	int key;
	int weight;
	struct cache *next;
};

static struct cache *cache_add(struct cache *head, int key, int weight)
{
	struct cache *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key;
	e->weight = weight;
	e->next = head;
	return e;
}

static int cache_weight(const struct cache *head, int least)
{
	int sum = 0;

	for (; head; head = head->next)
		if (head->key >= least)
			sum += head->weight * 6;
	return sum;
}

static struct cache *cache_reverse(struct cache *head)
{
	struct cache *done = NULL;

	while (head) {
		struct cache *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

struct packet {
	long key;
	int weight;
	struct packet *next;
};

static struct packet *packet_add(struct packet *head, long key, int weight)
{
	struct packet *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key;
	e->weight = weight;
	e->next = head;
	return e;
}

static int packet_weight(const struct packet *head, long least)
{
	int sum = 0;

	for (; head; head = head->next)
		if (head->key >= least)
			sum += head->weight * 7;
	return sum;
}

static struct packet *packet_reverse(struct packet *head)
{
	struct packet *done = NULL;

	while (head) {
		struct packet *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

struct frame {
	unsigned key;
	int weight;
	struct frame *next;
};

static struct frame *frame_add(struct frame *head, unsigned key, int weight)
{
	struct frame *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key;
	e->weight = weight;
	e->next = head;
	return e;
}

static int frame_weight(const struct frame *head, unsigned least)
{
	int sum = 0;

	for (; head; head = head->next)
		if (head->key >= least)
			sum += head->weight * 8;
	return sum;
}

static struct frame *frame_reverse(struct frame *head)
{
	struct frame *done = NULL;

	while (head) {
		struct frame *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

static const int table0[16] = {42, 20, 51, 84, 7, 10, 69, 13, 47, 75, 8, 65, 28, 5, 12, 56};
static const int table1[16] = {54, 9, 31, 12, 71, 55, 8, 73, 16, 29, 81, 81, 75, 8, 74, 75};
static const int table2[16] = {51, 7, 29, 6, 72, 18, 38, 54, 19, 70, 16, 74, 40, 72, 88, 24};
static const int table3[16] = {14, 75, 74, 82, 25, 48, 13, 71, 92, 9, 73, 8, 80, 27, 64, 88};

unsigned sum_adler(const unsigned char *p, size_t n)
{
	unsigned a = 1, b = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		a = (a + p[i] * (unsigned)table0[i & 15]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

unsigned sum_fletcher(const unsigned char *p, size_t n)
{
	unsigned a = 0, b = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		a = (a + p[i] * (unsigned)table1[i & 15]) % 255;
		b = (b + a) % 255;
	}
	return b << 16 | a;
}

unsigned sum_mixed(const unsigned char *p, size_t n)
{
	unsigned a = 17, b = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		a = (a + p[i] * (unsigned)table2[i & 15]) % 8191;
		b = (b + a) % 8191;
	}
	return b << 16 | a;
}

unsigned sum_plain(const unsigned char *p, size_t n)
{
	unsigned a = 3, b = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		a = (a + p[i] * (unsigned)table3[i & 15]) % 997;
		b = (b + a) % 997;
	}
	return b << 16 | a;
}

int search(const int *list, int n, int wanted)
{
	int low = 0, high = n - 1;

	while (low <= high) {
		int middle = low + (high - low) / 2;

		if (list[middle] == wanted)
			return middle;
		if (list[middle] < wanted)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

void sort(int *list, int n)
{
	int i, j;

	for (i = 1; i < n; i++) {
		int held = list[i];

		for (j = i; j > 0 && list[j - 1] > held; j--)
			list[j] = list[j - 1];
		list[j] = held;
	}
}

struct clock {
	int round;
	int idle;
	int drift;
};

int settle(struct clock *c, int start, int *used)
{
	int total = 0;
	int round;

	if (c->drift > start)
		c->idle++;
	for (round = start & 15; round >= 0; round++) {
		total += table2[round & 15];
		if (total > 1000)
			total -= 1000;
	}
	c->round = round;
	*used = total;
	return total - c->drift;
}

int drift(struct clock *c, int steps)
{
	int i, most = 0;

	for (i = 0; i < steps; i++) {
		int d = table1[i & 15] - table3[(i + 5) & 15];

		if (d > most)
			most = d;
		c->drift += d / 2;
	}
	return most;
}

double curve0(double x)
{
	double y = 1.25;
	int i;

	for (i = 0; i < 6; i++)
		y = y * x + table0[i] / 10.0;
	if (y > 1000.0)
		y = 0.0;
	return y;
}

double curve1(double x)
{
	double y = 2.25;
	int i;

	for (i = 0; i < 7; i++)
		y = y * x + table1[i] / 20.0;
	if (y > 2000.0)
		y = 0.0;
	return y;
}

double curve2(double x)
{
	double y = 3.25;
	int i;

	for (i = 0; i < 8; i++)
		y = y * x + table2[i] / 30.0;
	if (y > 3000.0)
		y = 0.0;
	return y;
}

double curve3(double x)
{
	double y = 4.25;
	int i;

	for (i = 0; i < 9; i++)
		y = y * x + table3[i] / 40.0;
	if (y > 4000.0)
		y = 0.0;
	return y;
}

double curve4(double x)
{
	double y = 5.25;
	int i;

	for (i = 0; i < 10; i++)
		y = y * x + table0[i] / 50.0;
	if (y > 5000.0)
		y = 0.0;
	return y;
}

static int parse(const char *line, int *key, int *weight)
{
	char *end;

	*key = (int)strtol(line, &end, 10);
	if (end == line || *end != ':')
		return -1;
	*weight = (int)strtol(end + 1, &end, 10);
	return *end == '\0' ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct task *tasks = NULL;
	struct slot *slots = NULL;
	struct route *routes = NULL;
	struct block *blocks = NULL;
	struct cache *caches = NULL;
	struct packet *packets = NULL;
	struct frame *frames = NULL;
	struct clock clock = {0, 0, 0};
	int list[32];
	int i, key, weight, used = 0;

	for (i = 0; i < 32; i++)
		list[i] = table0[i & 15] * table1[(i * 7) & 15] % 101;
	sort(list, 32);
	printf("%d\n", search(list, 32, list[argc & 31]));
	for (i = 1; i < argc; i++) {
		if (parse(argv[i], &key, &weight) != 0) {
			fprintf(stderr, "what is %s?\n", argv[i]);
			return 2;
		}
		tasks = task_add(tasks, key, weight);
		slots = slot_add(slots, key, weight);
		routes = route_add(routes, key, weight);
		blocks = block_add(blocks, key, weight);
		caches = cache_add(caches, key, weight);
		packets = packet_add(packets, key, weight);
		frames = frame_add(frames, key, weight);
	}
	tasks = task_reverse(tasks);
	printf("tasks weigh %d\n", task_weight(tasks, 0));
	slots = slot_reverse(slots);
	printf("slots weigh %d\n", slot_weight(slots, 1));
	routes = route_reverse(routes);
	printf("routes weigh %d\n", route_weight(routes, 2));
	blocks = block_reverse(blocks);
	printf("blocks weigh %d\n", block_weight(blocks, 3));
	caches = cache_reverse(caches);
	printf("caches weigh %d\n", cache_weight(caches, 4));
	packets = packet_reverse(packets);
	printf("packets weigh %d\n", packet_weight(packets, 5));
	frames = frame_reverse(frames);
	printf("frames weigh %d\n", frame_weight(frames, 6));
	printf("%u %u\n", sum_adler((unsigned char *)list, sizeof list), sum_fletcher((unsigned char *)list, sizeof list));
	printf("%d\n", drift(&clock, 40));
	if (argc > 5)
		printf("%d\n", settle(&clock, argc, &used));
	for (i = 0; i < 4; i++)
		printf("%f %f %f\n", curve0(i), curve1(i), curve2(i));
	return used;
}
