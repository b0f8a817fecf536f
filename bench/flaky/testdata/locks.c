#include <pthread.h>
#include <sched.h>
#include <stdio.h>

struct list {
  pthread_mutex_t lock;
  int items[64];
  int length;
};

static struct list todo, done;

static void put(struct list *l, int item) {
  if (l->length < 64)
    l->items[l->length++] = item;
}

static int take(struct list *l) {
  if (l->length == 0)
    return -1;
  return l->items[--l->length];
}

static void move(struct list *from, struct list *to) {
  pthread_mutex_lock(&from->lock);
  int item = take(from);
  if (item >= 0) {
    sched_yield();
    pthread_mutex_lock(&to->lock);
    put(to, item);
    pthread_mutex_unlock(&to->lock);
  }
  pthread_mutex_unlock(&from->lock);
}

static void *finish(void *arg) {
  move(&todo, &done);
  return arg;
}

static void *redo(void *arg) {
  move(&done, &todo);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_init(&todo.lock, NULL);
  pthread_mutex_init(&done.lock, NULL);
  for (int i = 0; i < 10; i++) {
    put(&todo, i);
    put(&done, i);
  }
  pthread_create(&a, NULL, finish, NULL);
  pthread_create(&b, NULL, redo, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", todo.length + done.length);
  return 0;
}
