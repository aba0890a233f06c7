#include "barrier.h"
#include "binding.h"
#include "cases.h"
#include "check.h"
#include "fake_vm.h"
#include "library.h"

#include <pthread.h>
#include <time.h>

enum { ROUNDS = 200, CALLERS = 3 };

static pthread_barrier_t all_are_inside;
static _Atomic jlong current;

static void need_barrier(void) {
  const char *missing = barrier_missing();
  if (missing != NULL) {
    skip("%s: the way in carries its fence", missing);
  }
}

/* It takes the kernel as long as an idle JVM needs to start. */
void registers_the_barrier(void) {
  need_barrier();
  create_vm();
  expect_number("Agent_OnLoad", start_agent(NULL), JNI_OK);
  bind_classes();
  jlong first = open_own_for_java();
  jlong second = open_own_for_java();
  expect_number("registrations before the first close", barriers_registered, 0);
  close_for_java(first);
  close_for_java(second);
  expect_number("registrations", barriers_registered, 1);
  expect(barrier_granted(), "the kernel grants no barrier after the first close");
}

/* By a thread of the library, which need not have come to it yet. */
static void expect_disposed(int opened) {
  enum { MILLISECONDS = 10 * 1000 };
  for (int i = 0; i < MILLISECONDS && atomic_load(&environment(opened)->disposed) == 0; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
  }
  expect_number("times that the environment was disposed", environment(opened)->disposed, 1);
}

/* Calls into the environment until it is closed. */
static void *call_until_closed(void *jni) {
  struct FakeThread *me = thread_of(jni);
  jlong handle = atomic_load(&current);
  me->pending = NULL;
  expect_number("GetVersionNumber", version_for_java(jni, handle), JVMTI_VERSION);
  pthread_barrier_wait(&all_are_inside);
  while (me->pending == NULL) {
    version_for_java(jni, handle);
  }
  expect_number("what is thrown", me->code, CLOSED);
  return NULL;
}

static void close_while_threads_come_and_go(void) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t callers[CALLERS];
    pthread_barrier_init(&all_are_inside, NULL, CALLERS + 1);
    atomic_store(&current, open_own_for_java());
    int opened = vm.environments - 1;
    for (int i = 0; i < CALLERS; i++) {
      expect(pthread_create(&callers[i], NULL, call_until_closed, jni_of(i + 1)) == 0, "no thread can be made");
    }
    pthread_barrier_wait(&all_are_inside);
    /* On a machine too busy to let a caller leave in time, that caller has it disposed. */
    close_for_java(atomic_load(&current));
    for (int i = 0; i < CALLERS; i++) {
      pthread_join(callers[i], NULL);
    }
    expect_disposed(opened);
    pthread_barrier_destroy(&all_are_inside);
  }
}

void closes_under_threads(void) {
  need_barrier();
  create_vm();
  bind_classes();
  int before = barriers_issued;
  close_while_threads_come_and_go();
  expect_number("barriers", barriers_issued - before, ROUNDS);
}

void closes_under_threads_without_barrier(void) {
  atomic_store(&barrier_forbidden, true);
  create_vm();
  bind_classes();
  close_while_threads_come_and_go();
  expect_number("barriers", barriers_issued, 0);
}

/* Without the barrier nobody can tell whether a thread is inside: better a silent environment than a freed one. */
void keeps_what_no_barrier_protects(void) {
  need_barrier();
  create_vm();
  bind_classes();
  jlong handle = open_own_for_java();
  int opened = vm.environments - 1;
  atomic_store(&barrier_forbidden, true);
  expect_number("close", close_for_java(handle), JNI_FALSE);
  expect_number("times that the environment was disposed", environment(opened)->disposed, 0);
  handle = open_own_for_java();
  expect_number("close of one that was opened later", close_for_java(handle), JNI_TRUE);
  expect_disposed(opened + 1);
}
