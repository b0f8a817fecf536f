#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 4

struct account {
  int id;
  long balance;
};

struct order {
  int from, to;
  long amount;
};

static struct account accounts[ACCOUNTS];
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int logged;

static void note(const struct order *o) {
  pthread_mutex_lock(&log_lock);
  if (o->amount > 5)
    logged++;
  pthread_mutex_unlock(&log_lock);
}

static void transfer(const struct order *o) {
  long rest = accounts[o->from].balance - o->amount;
  sched_yield();
  accounts[o->from].balance = rest;
  accounts[o->to].balance += o->amount;
}

static void *teller(void *arg) {
  struct order o = {0, 0, 1};
  int first = *(int *)arg;
  for (int i = 0; i < 60; i++) {
    o.from = (first + i) % ACCOUNTS;
    o.to = (o.from + 1) % ACCOUNTS;
    transfer(&o);
    if (i % 20 == 0)
      note(&o);
  }
  return NULL;
}

static long total(void) {
  long sum = 0;
  for (int i = 0; i < ACCOUNTS; i++)
    sum += accounts[i].balance;
  return sum;
}

int main(void) {
  pthread_t threads[2];
  int first[2] = {0, 2};
  for (int i = 0; i < ACCOUNTS; i++) {
    accounts[i].id = i;
    accounts[i].balance = 1000;
  }
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, teller, &first[i]))
      abort();
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("%ld\n", total());
  return 0;
}
