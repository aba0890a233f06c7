// The stem `capabilities`.
#include <cstring>

#include "oracle.h"

using namespace oracle;

// clang-format off
#define CAPABILITIES(X) \
  X(can_tag_objects) \
  X(can_generate_field_modification_events) \
  X(can_generate_field_access_events) \
  X(can_get_bytecodes) \
  X(can_get_synthetic_attribute) \
  X(can_get_owned_monitor_info) \
  X(can_get_current_contended_monitor) \
  X(can_get_monitor_info) \
  X(can_pop_frame) \
  X(can_redefine_classes) \
  X(can_signal_thread) \
  X(can_get_source_file_name) \
  X(can_get_line_numbers) \
  X(can_get_source_debug_extension) \
  X(can_access_local_variables) \
  X(can_maintain_original_method_order) \
  X(can_generate_single_step_events) \
  X(can_generate_exception_events) \
  X(can_generate_frame_pop_events) \
  X(can_generate_breakpoint_events) \
  X(can_suspend) \
  X(can_redefine_any_class) \
  X(can_get_current_thread_cpu_time) \
  X(can_get_thread_cpu_time) \
  X(can_generate_method_entry_events) \
  X(can_generate_method_exit_events) \
  X(can_generate_all_class_hook_events) \
  X(can_generate_compiled_method_load_events) \
  X(can_generate_monitor_events) \
  X(can_generate_vm_object_alloc_events) \
  X(can_generate_native_method_bind_events) \
  X(can_generate_garbage_collection_events) \
  X(can_generate_object_free_events) \
  X(can_force_early_return) \
  X(can_get_owned_monitor_stack_depth_info) \
  X(can_get_constant_pool) \
  X(can_set_native_method_prefix) \
  X(can_retransform_classes) \
  X(can_retransform_any_class) \
  X(can_generate_resource_exhaustion_heap_events) \
  X(can_generate_resource_exhaustion_threads_events) \
  X(can_generate_early_vmstart) \
  X(can_generate_early_class_hook_events) \
  X(can_generate_sampled_object_alloc_events)
// clang-format on

/// Headers of before 21 have no name for it.
static const char* const VIRTUAL_THREADS = "can_support_virtual_threads";
static const unsigned VIRTUAL_THREADS_BIT = 44;

static unsigned char& byte_of(jvmtiCapabilities& set, unsigned bit) {
  return reinterpret_cast<unsigned char*>(&set)[bit / 8];
}

static jvmtiCapabilities parse(JNIEnv* jni, jobjectArray wanted) {
  jvmtiCapabilities set = {};
  for (jsize i = 0; i < jni->GetArrayLength(wanted); i++) {
    jstring element = static_cast<jstring>(jni->GetObjectArrayElement(wanted, i));
    const char* chars = jni->GetStringUTFChars(element, nullptr);
    bool known = false;
#define SET(capability)                  \
  if (!std::strcmp(chars, #capability)) { \
    set.capability = 1;                  \
    known = true;                        \
  }
    CAPABILITIES(SET)
#undef SET
    if (!std::strcmp(chars, VIRTUAL_THREADS)) {
      byte_of(set, VIRTUAL_THREADS_BIT) |= 1u << VIRTUAL_THREADS_BIT % 8;
      known = true;
    }
    if (!known) {
      jni->FatalError("no such capability");
    }
    jni->ReleaseStringUTFChars(element, chars);
  }
  return set;
}

static std::string print(jvmtiCapabilities set) {
  std::vector<std::string> held;
#define GET(capability)             \
  if (set.capability) {             \
    held.push_back(#capability);    \
  }
  CAPABILITIES(GET)
#undef GET
  if (byte_of(set, VIRTUAL_THREADS_BIT) & 1u << VIRTUAL_THREADS_BIT % 8) {
    held.push_back(VIRTUAL_THREADS);
  }
  return sorted(held);
}

FUNCTION(getCapabilities) {
  jvmtiCapabilities set = {};
  jvmtiError code = environment(jni, self)->GetCapabilities(&set);
  return answer(jni, code, print(set));
}

FUNCTION(getPotentialCapabilities) {
  jvmtiCapabilities set = {};
  jvmtiError code = environment(jni, self)->GetPotentialCapabilities(&set);
  return answer(jni, code, print(set));
}

FUNCTION(addCapabilities, jobjectArray wanted) {
  jvmtiCapabilities set = parse(jni, wanted);
  return answer(jni, environment(jni, self)->AddCapabilities(&set));
}

FUNCTION(relinquishCapabilities, jobjectArray wanted) {
  jvmtiCapabilities set = parse(jni, wanted);
  return answer(jni, environment(jni, self)->RelinquishCapabilities(&set));
}
