#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

/* A registry of the devices in a building, and what a controller does with them. */

enum state { ST_OFF, ST_STARTING, ST_READY, ST_BUSY, ST_DRAINING, ST_FAILED };

enum severity { SEV_NOTE, SEV_WARNING, SEV_ERROR };

#define MAX_DEVICES 64
#define NAME_LENGTH 24

struct pump {
	char name[NAME_LENGTH];
	enum state state;
	double flow; /* litres */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct valve {
	char name[NAME_LENGTH];
	enum state state;
	double angle; /* degrees */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct fan {
	char name[NAME_LENGTH];
	enum state state;
	double speed; /* turns */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct heater {
	char name[NAME_LENGTH];
	enum state state;
	double power; /* watts */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct lamp {
	char name[NAME_LENGTH];
	enum state state;
	double level; /* percent */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct meter {
	char name[NAME_LENGTH];
	enum state state;
	double count; /* pulses */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct door {
	char name[NAME_LENGTH];
	enum state state;
	double travel; /* millimetres */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct relay {
	char name[NAME_LENGTH];
	enum state state;
	double load; /* amperes */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct probe {
	char name[NAME_LENGTH];
	enum state state;
	double depth; /* centimetres */
	double limit;
	uint32_t faults;
	uint32_t starts;
};

struct event {
	uint64_t at;
	enum severity severity;
	uint32_t device;
	char text[48];
};

struct job {
	char tag;
	uint64_t deadline;
	uint32_t device;
	uint32_t steps;
	double target;
	struct job *next;
};

struct log {
	struct event events[128];
	size_t used;
	size_t lost;
};

static struct log journal;
static uint64_t now;

static const char *state_name(enum state s)
{
	static const char *const names[] = {"off", "starting", "ready", "busy", "draining", "failed"};

	return names[s];
}

static void note(enum severity severity, uint32_t device, const char *text)
{
	struct event *e;

	if (journal.used == sizeof journal.events / sizeof journal.events[0]) {
		journal.lost++;
		return;
	}
	e = &journal.events[journal.used++];
	e->at = now;
	e->severity = severity;
	e->device = device;
	snprintf(e->text, sizeof e->text, "%s", text);
}

static void pump_init(struct pump *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->flow = 0.0;
	d->limit = limit;
}

static int pump_set(struct pump *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 0, "pump: flow out of range");
		return -1;
	}
	d->flow = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void pump_step(struct pump *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->flow * 1.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->flow /= 2.0;
		if (d->flow < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 0, d->name);
		break;
	}
}

static void pump_print(const struct pump *d)
{
	printf("%-10s %-9s %8.2f litres, %u faults\n", d->name, state_name(d->state), d->flow, d->faults);
}

static void valve_init(struct valve *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->angle = 0.0;
	d->limit = limit;
}

static int valve_set(struct valve *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 1, "valve: angle out of range");
		return -1;
	}
	d->angle = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void valve_step(struct valve *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->angle * 2.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 1, d->name);
		break;
	}
}

static void valve_print(const struct valve *d)
{
	printf("%-10s %-9s %8.2f degrees, %u faults\n", d->name, state_name(d->state), d->angle, d->faults);
}

static void fan_init(struct fan *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->speed = 0.0;
	d->limit = limit;
}

static int fan_set(struct fan *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 2, "fan: speed out of range");
		return -1;
	}
	d->speed = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void fan_step(struct fan *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->speed * 3.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->speed /= 2.0;
		if (d->speed < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 2, d->name);
		break;
	}
}

static void fan_print(const struct fan *d)
{
	printf("%-10s %-9s %8.2f turns, %u faults\n", d->name, state_name(d->state), d->speed, d->faults);
}

static void heater_init(struct heater *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->power = 0.0;
	d->limit = limit;
}

static int heater_set(struct heater *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 3, "heater: power out of range");
		return -1;
	}
	d->power = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void heater_step(struct heater *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->power * 4.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->power /= 2.0;
		if (d->power < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 3, d->name);
		break;
	}
}

static void heater_print(const struct heater *d)
{
	printf("%-10s %-9s %8.2f watts, %u faults\n", d->name, state_name(d->state), d->power, d->faults);
}

static void lamp_init(struct lamp *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->level = 0.0;
	d->limit = limit;
}

static int lamp_set(struct lamp *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 4, "lamp: level out of range");
		return -1;
	}
	d->level = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void lamp_step(struct lamp *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->level * 1.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->level /= 2.0;
		if (d->level < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 4, d->name);
		break;
	}
}

static void lamp_print(const struct lamp *d)
{
	printf("%-10s %-9s %8.2f percent, %u faults\n", d->name, state_name(d->state), d->level, d->faults);
}

static void meter_init(struct meter *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->count = 0.0;
	d->limit = limit;
}

static int meter_set(struct meter *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 5, "meter: count out of range");
		return -1;
	}
	d->count = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void meter_step(struct meter *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->count * 2.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->count /= 2.0;
		if (d->count < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 5, d->name);
		break;
	}
}

static void meter_print(const struct meter *d)
{
	printf("%-10s %-9s %8.2f pulses, %u faults\n", d->name, state_name(d->state), d->count, d->faults);
}

static void door_init(struct door *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->travel = 0.0;
	d->limit = limit;
}

static int door_set(struct door *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 6, "door: travel out of range");
		return -1;
	}
	d->travel = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void door_step(struct door *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->travel * 3.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->travel /= 2.0;
		if (d->travel < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 6, d->name);
		break;
	}
}

static void door_print(const struct door *d)
{
	printf("%-10s %-9s %8.2f millimetres, %u faults\n", d->name, state_name(d->state), d->travel, d->faults);
}

static void relay_init(struct relay *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->load = 0.0;
	d->limit = limit;
}

static int relay_set(struct relay *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 7, "relay: load out of range");
		return -1;
	}
	d->load = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void relay_step(struct relay *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->load * 4.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->load /= 2.0;
		if (d->load < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 7, d->name);
		break;
	}
}

static void relay_print(const struct relay *d)
{
	printf("%-10s %-9s %8.2f amperes, %u faults\n", d->name, state_name(d->state), d->load, d->faults);
}

static void probe_init(struct probe *d, const char *name, double limit)
{
	memset(d, 0, sizeof *d);
	snprintf(d->name, sizeof d->name, "%s", name);
	d->state = ST_OFF;
	d->depth = 0.0;
	d->limit = limit;
}

static int probe_set(struct probe *d, double value)
{
	if (value < 0.0 || value > d->limit) {
		d->faults++;
		note(SEV_WARNING, 8, "probe: depth out of range");
		return -1;
	}
	d->depth = value;
	if (d->state == ST_READY)
		d->state = ST_BUSY;
	return 0;
}

static void probe_step(struct probe *d)
{
	switch (d->state) {
	case ST_OFF:
		break;
	case ST_STARTING:
		d->starts++;
		d->state = ST_READY;
		break;
	case ST_READY:
		break;
	case ST_BUSY:
		if (d->depth * 1.5 > d->limit)
			d->state = ST_FAILED;
		break;
	case ST_DRAINING:
		d->depth /= 2.0;
		if (d->depth < 0.01)
			d->state = ST_OFF;
		break;
	case ST_FAILED:
		d->faults++;
		note(SEV_ERROR, 8, d->name);
		break;
	}
}

static void probe_print(const struct probe *d)
{
	printf("%-10s %-9s %8.2f centimetres, %u faults\n", d->name, state_name(d->state), d->depth, d->faults);
}

static struct job *push(struct job *head, uint64_t deadline, uint32_t device, double target)
{
	struct job *j = malloc(sizeof *j);

	if (j == NULL)
		return head;
	j->tag = 'j';
	j->deadline = deadline;
	j->device = device;
	j->steps = 0;
	j->target = target;
	j->next = head;
	return j;
}

static struct job *overdue(struct job *head)
{
	while (head != NULL && head->deadline >= now)
		head = head->next;
	return head;
}

static void release(struct job *head)
{
	while (head != NULL) {
		struct job *next = head->next;

		free(head);
		head = next;
	}
}

static void summary(void)
{
	size_t count[3] = {0, 0, 0};
	size_t i;

	for (i = 0; i < journal.used; i++)
		count[journal.events[i].severity]++;
	printf("%zu notes, %zu warnings, %zu errors, %zu lost\n", count[SEV_NOTE], count[SEV_WARNING], count[SEV_ERROR], journal.lost);
}

int main(void)
{
	struct pump pump;
	struct valve valve;
	struct fan fan;
	struct heater heater;
	struct lamp lamp;
	struct meter meter;
	struct door door;
	struct relay relay;
	struct probe probe;
	struct job *jobs = NULL;
	struct job *late;
	int round;

	pump_init(&pump, "pump-1", 30.0);
	pump.state = ST_STARTING;
	jobs = push(jobs, 5, 0, 4.25);
	valve_init(&valve, "valve-2", 40.0);
	valve.state = ST_STARTING;
	jobs = push(jobs, 8, 1, 8.25);
	fan_init(&fan, "fan-3", 50.0);
	fan.state = ST_STARTING;
	jobs = push(jobs, 11, 2, 12.25);
	heater_init(&heater, "heater-4", 60.0);
	heater.state = ST_STARTING;
	jobs = push(jobs, 14, 3, 16.25);
	lamp_init(&lamp, "lamp-5", 70.0);
	lamp.state = ST_STARTING;
	jobs = push(jobs, 17, 4, 20.25);
	meter_init(&meter, "meter-6", 80.0);
	meter.state = ST_STARTING;
	jobs = push(jobs, 20, 5, 24.25);
	door_init(&door, "door-7", 90.0);
	door.state = ST_STARTING;
	jobs = push(jobs, 23, 6, 28.25);
	relay_init(&relay, "relay-8", 100.0);
	relay.state = ST_STARTING;
	jobs = push(jobs, 26, 7, 32.25);
	probe_init(&probe, "probe-9", 110.0);
	probe.state = ST_STARTING;
	jobs = push(jobs, 29, 8, 36.25);
	for (round = 0; round < 12; round++) {
		now++;
		pump_step(&pump);
		if (round == 2)
			pump_set(&pump, 7.5 + round);
		valve_step(&valve);
		if (round == 3)
			valve_set(&valve, 14.5 + round);
		fan_step(&fan);
		if (round == 4)
			fan_set(&fan, 21.5 + round);
		heater_step(&heater);
		if (round == 5)
			heater_set(&heater, 28.5 + round);
		lamp_step(&lamp);
		if (round == 6)
			lamp_set(&lamp, 35.5 + round);
		meter_step(&meter);
		if (round == 7)
			meter_set(&meter, 42.5 + round);
		door_step(&door);
		if (round == 2)
			door_set(&door, 49.5 + round);
		relay_step(&relay);
		if (round == 3)
			relay_set(&relay, 56.5 + round);
		probe_step(&probe);
		if (round == 4)
			probe_set(&probe, 63.5 + round);
	}
	pump_print(&pump);
	valve_print(&valve);
	fan_print(&fan);
	heater_print(&heater);
	lamp_print(&lamp);
	meter_print(&meter);
	door_print(&door);
	relay_print(&relay);
	probe_print(&probe);
	late = overdue(jobs);
	if (late != NULL)
		printf("job of device %u is late\n", late->device);
	summary();
	release(jobs);
	return 0;
}
