#include "binding.h"
#include "cases.h"
#include "check.h"
#include "fake_vm.h"
#include "library.h"

#include <stdio.h>
#include <string.h>

void another_abi_is_told_what_the_library_is(void) {
  create_vm();
  load_as_java_does();
  const char *answer = bind_probe("io/jvmtools/internal/Probe", -1);
  expect(answer != NULL, "it binds");
  const char *place = strstr(answer, ") at ");
  if (place == NULL) {
    fail("it tells no file: %s", answer);
  }
  expect_text("the file that it tells", place + strlen(") at "), library_file);
}

void binds_and_frees(void) {
  create_vm();
  bind_classes();
  expect(vm.blocks_given > 0, "nothing was allocated, so that nothing is shown");
  expect_number("blocks that were not given back", vm.blocks_kept, 0);
  expect_number("environments that are left: the shared one", environments_left(), 1);
  jlong handle = open_for_java();
  expect(handle != 0, "no environment is opened");
  expect_number("GetVersionNumber", version_for_java(jni_of(0), handle), JVMTI_VERSION);
  expect_number("close", close_for_java(handle), JNI_TRUE);
  expect_number("environments that are left", environments_left(), 1);
  expect_number("GetVersionNumber after close", version_for_java(jni_of(0), handle), 0);
  expect_number("what is thrown", thread_of(jni_of(0))->code, CLOSED);
  expect_text("printed", printed(), "");
}

void defines_the_door(void) {
  create_vm();
  load_as_java_does();
  expect_number("classes that were defined", vm.classes_defined, 1);
  expect(native(DOOR, "admit") == entry_point("Java_jvmtools_Door1_admit"), "the door has no native");
  expect_number("environments that were opened", vm.environments, 0);
}

void admits_a_relocated_copy(void) {
  static const char *const PROBE = "shaded/jvmtools/internal/Probe";
  create_vm();
  expect_number("Agent_OnLoad", start_agent(NULL), JNI_OK);
  admit_probe(PROBE);
  expect(native(PROBE, "bind") == entry_point("Java_io_jvmtools_internal_Probe_bind"), "its probe has no native");
  expect_number("classes that were defined", vm.classes_defined, 0);
  expect_number("blocks that were not given back", vm.blocks_kept, 0);
}

void panic_becomes_an_exception(void) {
  static const char *const SELF_TEST = "io/jvmtools/internal/SelfTestNatives";
  create_vm();
  bind_classes();
  void (*panic)(JNIEnv *, jclass, jstring);
  void *function = native_of(SELF_TEST, "panic");
  memcpy(&panic, &function, sizeof panic);
  panic(jni_of(0), class_named(SELF_TEST), new_object("string", "out of cheese"));
  struct FakeThread *thread = thread_of(jni_of(0));
  expect(thread->pending != NULL, "nothing is thrown");
  expect_number("what is thrown", thread->code, PANIC);
  expect(strstr(thread->detail, "out of cheese") != NULL, "the message is lost");
  expect(strstr(thread->detail, "self_test.rs:") != NULL, "the place is lost");
  expect_text("printed", printed(), "");
}
