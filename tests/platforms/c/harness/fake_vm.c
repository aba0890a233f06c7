#include "fake_vm.h"

#include "check.h"
#include "traps.h"

#include <string.h>

struct FakeVm vm;

static struct JNIInvokeInterface_ invoke_table;

/* The calling thread: those of a case are attached, as the one that the VM has called the library on. */
static _Thread_local int current;

static jint JNICALL get_env(JavaVM *asked, void **result, jint version) {
  expect(asked == &vm.functions, "GetEnv: another VM");
  if ((version & JVMTI_VERSION_MASK_INTERFACE_TYPE) == JVMTI_VERSION_INTERFACE_JVMTI) {
    vm.asked_version = version;
    *result = NULL;
    return vm.jvmti_answer == JNI_OK ? open_environment((jvmtiEnv **)result) : vm.jvmti_answer;
  }
  expect(version == JNI_VERSION_1_1 || (version >= JNI_VERSION_1_2 && version <= JNI_VERSION_10),
         "GetEnv: no such version of JNI");
  *result = jni_of(current);
  return JNI_OK;
}

/* The library's own threads; they stay attached. */
static jint JNICALL attach_as_daemon(JavaVM *asked, void **result, void *arguments) {
  const JavaVMAttachArgs *how = arguments;
  expect(asked == &vm.functions, "AttachCurrentThreadAsDaemon: another VM");
  expect(current == 0, "AttachCurrentThreadAsDaemon: this thread is attached");
  expect(strncmp(how->name, "jvmtools-", strlen("jvmtools-")) == 0, "AttachCurrentThreadAsDaemon: a thread without a name");
  current = FAKE_THREADS - 1 - atomic_fetch_add(&vm.daemons, 1);
  expect(current > MOST_CALLERS, "too many threads are attached");
  *result = jni_of(current);
  return JNI_OK;
}

static jint JNICALL refuse(JavaVM *asked) {
  (void)asked;
  fail("DestroyJavaVM or DetachCurrentThread was called, which is not expected here");
}

static jint JNICALL refuse_to_attach(JavaVM *asked, void **result, void *arguments) {
  (void)asked, (void)result, (void)arguments;
  fail("a thread was attached, which is not expected here");
}

void create_vm(void) {
  memset(&vm, 0, sizeof vm);
  invoke_table = (struct JNIInvokeInterface_){
      .DestroyJavaVM = refuse,
      .AttachCurrentThread = refuse_to_attach,
      .DetachCurrentThread = refuse,
      .GetEnv = get_env,
      .AttachCurrentThreadAsDaemon = attach_as_daemon,
  };
  vm.functions = &invoke_table;
  vm.jvmti_answer = JNI_OK;
  vm.add_answer = JVMTI_ERROR_NONE;
  create_jvmti();
  create_jni();
}
