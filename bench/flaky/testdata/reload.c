#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

struct config {
  char name[16];
  int limit;
  int level;
};

struct stats {
  long seen;
  long over;
};

static struct config slow = {"slow", 10, 1}, fast = {"fast", 100, 2};
static struct config *volatile current = &slow;
static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stats stats;

static void note(long seen, long over) {
  pthread_mutex_lock(&stats_lock);
  stats.seen += seen;
  stats.over += over;
  pthread_mutex_unlock(&stats_lock);
}

static int allows(int n) {
  if (current == NULL)
    return 0;
  if (n % 10 == 0)
    sched_yield();
  return n < current->limit;
}

static void *serve(void *arg) {
  long seen = 0, over = 0;
  int rounds = *(int *)arg;
  for (int i = 0; i < rounds; i++) {
    seen++;
    if (!allows(i % 50))
      over++;
    if (i % 1000 == 0)
      note(1, 0);
  }
  note(seen, over);
  return NULL;
}

static void set(struct config *to) {
  current = NULL;
  sched_yield();
  if (to->level > 0)
    current = to;
}

static void *reload(void *arg) {
  int rounds = *(int *)arg;
  for (int i = 0; i < rounds; i++)
    set(i % 2 ? &slow : &fast);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int rounds[2] = {2, 1};
  pthread_create(&threads[0], NULL, serve, &rounds[0]);
  pthread_create(&threads[1], NULL, reload, &rounds[1]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("%s %ld %ld\n", current->name, stats.seen, stats.over);
  return strlen(current->name) == 4 ? 0 : 1;
}
