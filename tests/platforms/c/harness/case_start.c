#include "binding.h"
#include "cases.h"
#include "check.h"
#include "fake_vm.h"
#include "library.h"

#include <string.h>
#include <time.h>

/* Those that only the start can give, and that cost the application nothing: see ARCHITECTURE.md. */
static const jvmtiCapabilities prepared = {
    .can_get_owned_monitor_info = 1,
    .can_get_current_contended_monitor = 1,
    .can_get_source_debug_extension = 1,
    .can_maintain_original_method_order = 1,
    .can_force_early_return = 1,
    .can_get_owned_monitor_stack_depth_info = 1,
    .can_generate_early_vmstart = 1,
    .can_generate_early_class_hook_events = 1,
};

static void expect_capabilities(const char *what, const jvmtiCapabilities *found, const jvmtiCapabilities *wanted) {
  expect_number(what, (long long)bits(found), (long long)bits(wanted));
}

static void expect_prepared(const jvmtiCapabilities *acquired, const jvmtiCapabilities *held) {
  static const jvmtiCapabilities nothing;
  struct FakeEnvironment *first = environment(0);
  bool holds = bits(held) != 0;
  expect_number("environments that were opened", vm.environments, holds ? 2 : 1);
  expect_capabilities("acquired", &first->acquired, acquired);
  expect_capabilities("held after the start by the shared one", &first->held, &nothing);
  if (holds) {
    expect_capabilities("held after the start", &environment(1)->held, held);
  }
  expect(first->vm_death_enabled && first->callbacks.VMDeath != NULL, "VMDeath is not enabled, or has no callback");
  expect(!first->vm_init_enabled, "VMInit is enabled, and nothing is to run then");
  expect_number("blocks that were not given back", vm.blocks_kept, 0);
}

void starts_without_options(void) {
  static const jvmtiCapabilities nothing;
  create_vm();
  expect_number("Agent_OnLoad", start_agent(NULL), JNI_OK);
  expect_number("the version that GetEnv is asked for", vm.asked_version, JVMTI_VERSION_11);
  expect_prepared(&prepared, &nothing);
  expect_text("printed", printed(), "");
}

void holds_and_prepares_what_is_named(void) {
  jvmtiCapabilities acquired = prepared;
  jvmtiCapabilities held = {.can_suspend = 1, .can_tag_objects = 1};
  acquired.can_generate_exception_events = 1;
  acquired.can_generate_method_entry_events = 1;
  acquired.can_generate_method_exit_events = 1;
  // What is held is prepared too: others may have it when it is given back.
  acquired.can_suspend = 1;
  acquired.can_tag_objects = 1;
  create_vm();
  expect_number("Agent_OnLoad", start_agent("prepare=can_generate_exception_events+tracing,hold=can_suspend+can_tag_objects"),
                JNI_OK);
  expect_prepared(&acquired, &held);
  expect_text("printed", printed(), "");
}

static void refuses(const char *options, const char *message) {
  create_vm();
  expect_number(options, start_agent(options), JNI_ERR);
  expect_text(options, printed(), message);
  expect_number("environments that were opened", vm.environments, 0);
}

void refuses_wrong_options(void) {
  refuses("log=x", "jvmtools: unknown option 'log': known are prepare, hold, run, property and record,"
                   " such as prepare=debugging+tracing\n");
  refuses("nonsense",
          "jvmtools: option 'nonsense' is not key=value: known are prepare, hold, run, property and record,"
          " such as prepare=debugging+tracing\n");
  refuses("run=A,run=B",
          "jvmtools: option 'run' is given twice: one class can run, and only property may be repeated\n");
  refuses("hold=suspend", "jvmtools: option 'hold' names no capability 'suspend': did you mean can_suspend?\n");
  refuses("run=\xff", "jvmtools: options are not valid UTF-8\n");
}

void refuses_what_the_vm_does_not_offer(void) {
  create_vm();
  vm.offered.can_pop_frame = 0;
  expect_number("Agent_OnLoad", start_agent("prepare=can_pop_frame"), JNI_ERR);
  expect_text("printed", printed(), "jvmtools: this VM cannot give can_pop_frame (option 'prepare')\n");
  expect_capabilities("acquired", &environment(0)->acquired, &(jvmtiCapabilities){0});
}

void refuses_a_vm_without_jvmti(void) {
  create_vm();
  vm.jvmti_answer = JNI_EVERSION;
  expect_number("Agent_OnLoad", start_agent(NULL), JNI_ERR);
  expect_text("printed", printed(), "jvmtools: GetEnv: JVMTI_ERROR_UNSUPPORTED_VERSION (68)\n");
}

void says_what_the_vm_refused(void) {
  create_vm();
  vm.add_answer = JVMTI_ERROR_OUT_OF_MEMORY;
  expect_number("Agent_OnLoad", start_agent(NULL), JNI_ERR);
  expect_text("printed", printed(), "jvmtools: AddCapabilities: JVMTI_ERROR_OUT_OF_MEMORY (110)\n");
}

void asks_for_vm_init_to_run_a_class(void) {
  create_vm();
  expect_number("Agent_OnLoad", start_agent("run=com.acme.Main"), JNI_OK);
  expect(environment(0)->vm_init_enabled, "VMInit is not enabled");
  expect(environment(0)->callbacks.VMInit != NULL, "VMInit has no callback");
  expect_number("classes that were defined", vm.classes_defined, 0);
  expect_text("printed", printed(), "");
}

void attaches(void) {
  create_vm();
  jint (*on_attach)(JavaVM *, const char *, void *);
  void *symbol = entry_point("Agent_OnAttach");
  memcpy(&on_attach, &symbol, sizeof on_attach);
  expect_number("Agent_OnAttach", on_attach(&vm.functions, "hold=can_suspend", NULL), JNI_ERR);
  expect_text("printed", printed(),
              "jvmtools: option 'hold' works only when the JVM starts with the agent (-agentpath), not by attach\n");
  expect_number("Agent_OnAttach", on_attach(&vm.functions, "", NULL), JNI_OK);
  expect_number("classes that were defined", vm.classes_defined, 0);
}

/* In Java: a thread that waits in native code keeps HotSpot from ending. */
static void expect_a_thread_to_rest(void) {
  enum { MILLISECONDS = 10 * 1000 };
  for (int i = 0; i < MILLISECONDS && atomic_load(&vm.rests) == 0; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
  }
  expect(atomic_load(&vm.rests) > 0, "no thread of the library rests in the VM");
}

void ends_with_the_vm(void) {
  create_vm();
  bind_classes();
  jlong handle = open_own_for_java();
  struct FakeEnvironment *first = environment(0);
  expect_number("rests before the end", atomic_load(&vm.rests), 0);
  first->callbacks.VMDeath(&first->functions, jni_of(0));
  expect_a_thread_to_rest();
  expect_number("GetVersionNumber", version_for_java(jni_of(0), handle), JVMTI_VERSION);
  expect_number("environments that are left to the VM", environments_left(), 2);
  expect_text("printed", printed(), "");
}
