#include "binding.h"

#include "check.h"
#include "fake_vm.h"
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const GENERAL = "io/jvmtools/internal/environment/GeneralNatives";
static const char *const PROBE = "io/jvmtools/internal/Probe";

/* C has no conversion from a data pointer to that of a function. */
#define AS_FUNCTION(variable, symbol) \
  do { \
    void *found = symbol; \
    memcpy(&(variable), &found, sizeof(variable)); \
  } while (0)

void load_as_java_does(void) {
  jint (*on_load)(JavaVM *, void *);
  AS_FUNCTION(on_load, entry_point("JNI_OnLoad"));
  expect_number("JNI_OnLoad", on_load(&vm.functions, NULL), JNI_VERSION_1_8);
}

void admit_probe(const char *probe_class) {
  void (*admit)(JNIEnv *, jclass, jclass);
  AS_FUNCTION(admit, entry_point("Java_jvmtools_Door1_admit"));
  admit(jni_of(0), class_named(DOOR), class_named(probe_class));
  expect(thread_of(jni_of(0))->pending == NULL, "Door.admit throws");
}

const char *bind_probe(const char *probe_class, jint abi) {
  jstring (*bind)(JNIEnv *, jclass, jint, jstring);
  AS_FUNCTION(bind, entry_point("Java_io_jvmtools_internal_Probe_bind"));
  jstring answer = bind(jni_of(0), class_named(probe_class), abi, new_object("string", "harness"));
  struct FakeThread *thread = thread_of(jni_of(0));
  if (thread->pending != NULL) {
    fail("Probe.bind throws: %s", thread->detail);
  }
  return answer == NULL ? NULL : text_of(answer, "string");
}

void bind_classes(void) {
  int abi = 0;
  load_as_java_does();
  const char *other = bind_probe(PROBE, -1);
  const char *told = other == NULL ? NULL : strstr(other, "(ABI ");
  expect(told != NULL && sscanf(told, "(ABI %d)", &abi) == 1, "Probe.bind does not tell its ABI");
  const char *answer = bind_probe(PROBE, abi);
  if (answer != NULL) {
    fail("Probe.bind refuses: %s", answer);
  }
}

void *native_of(const char *class_name, const char *method) {
  void *function = native(class_name, method);
  if (function == NULL) {
    fail("%s.%s was not registered", class_name, method);
  }
  return function;
}

jlong open_for_java(void) {
  jlong (*open)(JNIEnv *, jclass, jobject);
  AS_FUNCTION(open, native_of(GENERAL, "open"));
  return open(jni_of(0), class_named(GENERAL), new_object("owner", ""));
}

jlong open_own_for_java(void) {
  static const char *const CAPABILITIES = "io/jvmtools/internal/environment/CapabilitiesNatives";
  static const char *const HEAP = "io/jvmtools/internal/objects/HeapNatives";
  static const jvmtiCapabilities wanted = {.can_tag_objects = 1};
  void (*add)(JNIEnv *, jclass, jlong, jlong);
  void (*set_tag)(JNIEnv *, jclass, jlong, jobject, jlong);
  jlong handle = open_for_java();
  AS_FUNCTION(add, native_of(CAPABILITIES, "addCapabilities"));
  add(jni_of(0), class_named(CAPABILITIES), handle, (jlong)bits(&wanted));
  AS_FUNCTION(set_tag, native_of(HEAP, "setTag"));
  set_tag(jni_of(0), class_named(HEAP), handle, new_object("object", ""), 42);
  struct FakeThread *thread = thread_of(jni_of(0));
  if (thread->pending != NULL) {
    fail("addCapabilities or setTag throws: %s", thread->detail);
  }
  return handle;
}

jboolean close_for_java(jlong handle) {
  jboolean (*close)(JNIEnv *, jclass, jlong);
  AS_FUNCTION(close, native_of(GENERAL, "close"));
  return close(jni_of(0), class_named(GENERAL), handle);
}

jint version_for_java(JNIEnv *jni, jlong handle) {
  jint (*version)(JNIEnv *, jclass, jlong);
  AS_FUNCTION(version, native_of(GENERAL, "getVersionNumber"));
  return version(jni, class_named(GENERAL), handle);
}
