// The last moment in which something can be suspended. VMDeath comes to the agents in the order in which they came.
#include "oracle.h"

static jclass moment;

static void JNICALL vm_death(jvmtiEnv*, JNIEnv* jni) {
  jni->CallStaticVoidMethod(moment, jni->GetStaticMethodID(moment, "come", "()V"));
}

/// Has LastMoment.come called in VMDeath.
NATIVE(void, LastMoment_await, jclass caller) {
  moment = static_cast<jclass>(jni->NewGlobalRef(caller));
  jvmtiEventCallbacks callbacks = {};
  callbacks.VMDeath = vm_death;
  if (oracle::own()->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
      oracle::own()->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, nullptr) !=
          JVMTI_ERROR_NONE) {
    jni->FatalError("VMDeath cannot be had");
  }
}
