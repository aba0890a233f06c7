/* The functions of JVM TI that the library calls when it starts, binds classes and answers a simple question. */
#include "fake_vm.h"

#include "check.h"
#include "traps.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENVIRONMENTS = 4096, MOST_BLOCKS = 4096 };

/* Those of the jvmti.h of JDK 17. */
enum { CAPABILITIES = 44 };

static struct jvmtiInterface_1_ table;
static struct FakeEnvironment opened[MOST_ENVIRONMENTS];
static unsigned char *blocks[MOST_BLOCKS];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

jint open_environment(jvmtiEnv **result) {
  int index = atomic_fetch_add(&vm.environments, 1);
  expect(index < MOST_ENVIRONMENTS, "too many environments are opened");
  opened[index].functions = &table;
  *result = &opened[index].functions;
  return JNI_OK;
}

struct FakeEnvironment *environment(int index) {
  expect(index < atomic_load(&vm.environments), "no such environment was opened");
  return &opened[index];
}

int environments_left(void) {
  int left = 0;
  for (int i = 0; i < atomic_load(&vm.environments); i++) {
    left += atomic_load(&opened[i].disposed) == 0;
  }
  return left;
}

/* Every function passes here: the VM would crash where this fails. */
static struct FakeEnvironment *live(jvmtiEnv *env, const char *function) {
  struct FakeEnvironment *one = (struct FakeEnvironment *)env;
  if (one < opened || one >= opened + MOST_ENVIRONMENTS) {
    fail("%s: no environment of this VM", function);
  }
  if (atomic_load(&one->disposed) != 0) {
    fail("%s: the environment was disposed", function);
  }
  return one;
}

static jvmtiError give(jlong size, unsigned char **result) {
  pthread_mutex_lock(&turn);
  int place = 0;
  while (place < MOST_BLOCKS && blocks[place] != NULL) {
    place++;
  }
  expect(place < MOST_BLOCKS, "Allocate: too many blocks are kept");
  *result = blocks[place] = malloc((size_t)size);
  pthread_mutex_unlock(&turn);
  atomic_fetch_add(&vm.blocks_given, 1);
  atomic_fetch_add(&vm.blocks_kept, 1);
  return JVMTI_ERROR_NONE;
}

static char *give_text(const char *text) {
  unsigned char *copy;
  give((jlong)strlen(text) + 1, &copy);
  return strcpy((char *)copy, text);
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *block) {
  live(env, "Deallocate");
  if (block == NULL) {
    return JVMTI_ERROR_NONE;
  }
  pthread_mutex_lock(&turn);
  int place = 0;
  while (place < MOST_BLOCKS && blocks[place] != block) {
    place++;
  }
  expect(place < MOST_BLOCKS, "Deallocate: not a block of this VM, or one that was given back before");
  blocks[place] = NULL;
  pthread_mutex_unlock(&turn);
  free(block);
  atomic_fetch_sub(&vm.blocks_kept, 1);
  return JVMTI_ERROR_NONE;
}

static void combine(jvmtiCapabilities *set, const jvmtiCapabilities *other, bool add) {
  unsigned char *to = (unsigned char *)set;
  const unsigned char *from = (const unsigned char *)other;
  for (size_t i = 0; i < sizeof *set; i++) {
    to[i] = (unsigned char)(add ? to[i] | from[i] : to[i] & ~from[i]);
  }
}

static jvmtiError JNICALL get_potential_capabilities(jvmtiEnv *env, jvmtiCapabilities *result) {
  live(env, "GetPotentialCapabilities");
  *result = vm.offered;
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_capabilities(jvmtiEnv *env, jvmtiCapabilities *result) {
  *result = live(env, "GetCapabilities")->held;
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_current_thread(jvmtiEnv *env, jthread *result) {
  live(env, "GetCurrentThread");
  *result = new_object("thread", "");
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_tag(jvmtiEnv *env, jobject object, jlong tag) {
  expect(object != NULL && tag != 0, "SetTag: no object, or no tag");
  return live(env, "SetTag")->held.can_tag_objects ? JVMTI_ERROR_NONE : JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
}

/* Refuses, so that a closed environment is disposed and kept for nobody: a use after that is seen. */
static jvmtiError JNICALL get_objects_with_tags(
    jvmtiEnv *env, jint wanted, const jlong *tags, jint *count, jobject **objects, jlong **found) {
  (void)count, (void)objects, (void)found;
  live(env, "GetObjectsWithTags");
  expect(wanted > 0 && tags[0] != 0, "GetObjectsWithTags: no tag");
  return JVMTI_ERROR_OUT_OF_MEMORY;
}

static jvmtiError JNICALL add_capabilities(jvmtiEnv *env, const jvmtiCapabilities *wanted) {
  struct FakeEnvironment *one = live(env, "AddCapabilities");
  jvmtiCapabilities beyond = *wanted;
  combine(&beyond, &vm.offered, false);
  static const jvmtiCapabilities none;
  if (memcmp(&beyond, &none, sizeof none) != 0) {
    return JVMTI_ERROR_NOT_AVAILABLE;
  }
  if (vm.add_answer == JVMTI_ERROR_NONE) {
    combine(&one->held, wanted, true);
    combine(&one->acquired, wanted, true);
  }
  return vm.add_answer;
}

static jvmtiError JNICALL relinquish_capabilities(jvmtiEnv *env, const jvmtiCapabilities *unwanted) {
  combine(&live(env, "RelinquishCapabilities")->held, unwanted, false);
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_event_callbacks(jvmtiEnv *env, const jvmtiEventCallbacks *callbacks, jint bytes) {
  struct FakeEnvironment *one = live(env, "SetEventCallbacks");
  expect(bytes >= 0, "SetEventCallbacks: a negative size");
  memset(&one->callbacks, 0, sizeof one->callbacks);
  if (callbacks != NULL) {
    /* A newer library may know more events than this VM. */
    size_t known = sizeof one->callbacks;
    memcpy(&one->callbacks, callbacks, (size_t)bytes < known ? (size_t)bytes : known);
  }
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_event_notification_mode(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event,
                                                      jthread thread, ...) {
  struct FakeEnvironment *one = live(env, "SetEventNotificationMode");
  if (thread != NULL) {
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
  }
  if (event == JVMTI_EVENT_VM_DEATH) {
    one->vm_death_enabled = mode == JVMTI_ENABLE;
  } else {
    expect_number("SetEventNotificationMode: the event", event, JVMTI_EVENT_VM_INIT);
    one->vm_init_enabled = mode == JVMTI_ENABLE;
  }
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL dispose_environment(jvmtiEnv *env) {
  struct FakeEnvironment *one = live(env, "DisposeEnvironment");
  expect_number("DisposeEnvironment: calls that are inside", atomic_load(&one->inside), 0);
  expect_number("DisposeEnvironment: times it was disposed before", atomic_fetch_add(&one->disposed, 1), 0);
  return JVMTI_ERROR_NONE;
}

/* There is none. */
static jvmtiError JNICALL get_extension_events(jvmtiEnv *env, jint *count, jvmtiExtensionEventInfo **events) {
  live(env, "GetExtensionEvents");
  *count = 0;
  *events = NULL;
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_version_number(jvmtiEnv *env, jint *result) {
  struct FakeEnvironment *one = live(env, "GetVersionNumber");
  atomic_fetch_add(&one->inside, 1);
  *result = JVMTI_VERSION;
  atomic_fetch_sub(&one->inside, 1);
  live(env, "GetVersionNumber, on its way out");
  return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class_signature(jvmtiEnv *env, jclass class, char **signature, char **generic) {
  live(env, "GetClassSignature");
  const char *name = text_of(class, "class");
  char whole[256];
  expect(strlen(name) + 3 <= sizeof whole, "GetClassSignature: too long a name");
  strcpy(stpcpy(stpcpy(whole, "L"), name), ";");
  if (signature != NULL) {
    *signature = give_text(whole);
  }
  if (generic != NULL) {
    *generic = NULL;
  }
  return JVMTI_ERROR_NONE;
}

static void offer_all(jvmtiCapabilities *offered) {
  memset(offered, 0, sizeof *offered);
  memset(offered, 0xff, CAPABILITIES / 8);
  ((unsigned char *)offered)[CAPABILITIES / 8] = (unsigned char)((1 << CAPABILITIES % 8) - 1);
}

void create_jvmti(void) {
  memset(opened, 0, sizeof opened);
  offer_all(&vm.offered);
  trap_all_of_jvmti(&table, sizeof table);
  table.Deallocate = deallocate;
  table.GetPotentialCapabilities = get_potential_capabilities;
  table.GetCapabilities = get_capabilities;
  table.GetCurrentThread = get_current_thread;
  table.SetTag = set_tag;
  table.GetObjectsWithTags = get_objects_with_tags;
  table.AddCapabilities = add_capabilities;
  table.RelinquishCapabilities = relinquish_capabilities;
  table.SetEventCallbacks = set_event_callbacks;
  table.SetEventNotificationMode = set_event_notification_mode;
  table.DisposeEnvironment = dispose_environment;
  table.GetVersionNumber = get_version_number;
  table.GetClassSignature = get_class_signature;
  table.GetExtensionEvents = get_extension_events;
}
