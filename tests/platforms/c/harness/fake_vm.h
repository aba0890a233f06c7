/*
 * A JVM that is none: its tables answer what the specification says, as far as the library asks for it, and a slot
 * that it should not need ends the case. One VM in a process.
 */
#ifndef FAKE_VM_H
#define FAKE_VM_H

#include <jni.h>
#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* An environment that GetEnv gave out. It is never freed, so that a use after DisposeEnvironment is seen. */
struct FakeEnvironment {
  jvmtiEnv functions;
  jvmtiCapabilities held;
  jvmtiCapabilities acquired;
  jvmtiEventCallbacks callbacks;
  bool vm_init_enabled;
  bool vm_death_enabled;
  atomic_int inside;
  atomic_int disposed;
};

/* A thread, known by its JNIEnv, with what was thrown in it. Far from the next, as the VM's own are. */
struct FakeThread {
  _Alignas(4096) JNIEnv functions;
  jobject pending;
  jint code;
  char function[64];
  char detail[1024];
};

/* A reference and what it is a reference to, at once. */
struct FakeObject {
  const char *of; /* what it is: "class", "string", … */
  char *text;
};

struct FakeVm {
  JavaVM functions;
  /* What the case chooses. */
  jint jvmti_answer;
  jvmtiError add_answer;
  jvmtiCapabilities offered;
  /* What has happened. */
  jint asked_version;
  int classes_defined;
  atomic_int daemons;
  atomic_int rests; /* of a thread, in Java */
  atomic_int environments;
  atomic_long blocks_given;
  atomic_long blocks_kept;
};

extern struct FakeVm vm;

/* A VM in its OnLoad phase that offers every capability of its version. */
void create_vm(void);

/* The environment that was opened as number INDEX. */
struct FakeEnvironment *environment(int index);
int environments_left(void);

/*
 * Thread number INDEX: 0 is the one that the VM has called the library on, the next ones are those of a case, and the
 * last ones the library's own.
 */
enum { FAKE_THREADS = 8, MOST_CALLERS = 5 };
JNIEnv *jni_of(int thread);
struct FakeThread *thread_of(JNIEnv *jni);

jobject new_object(const char *of, const char *text);
const char *text_of(jobject object, const char *of);
jclass class_named(const char *name);

/* What was registered with RegisterNatives; NULL if nothing was. */
void *native(const char *class_name, const char *method);

/* For fake_vm.c. */
jint open_environment(jvmtiEnv **result);
void create_jvmti(void);
void create_jni(void);

static inline uint64_t bits(const jvmtiCapabilities *capabilities) {
  uint64_t low;
  __builtin_memcpy(&low, capabilities, sizeof low);
  return low;
}

#endif
