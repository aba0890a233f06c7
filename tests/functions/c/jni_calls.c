// A library that calls the JVM a known number of times, and that changes its table of JNI functions as another agent
// would. Its natives are of io.jvmtools.support.JniCalls, and of NativeNumbers.
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_io_jvmtools_support_JniCalls_##name

static jvmtiEnv *env;

// What the agent has found in the slot of GetVersion, and how often its own function was called.
static jint (JNICALL *covered)(JNIEnv *);
static jlong covering_calls;

static jniNativeInterface *saved;

// What is to be in a slot when the JVM ends.
static void *remembered;
static jint remembered_slot;

static jvmtiEnv *environment(JNIEnv *jni) {
  JavaVM *vm;
  if (env == NULL && (*jni)->GetJavaVM(jni, &vm) == JNI_OK) {
    (*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11);
  }
  return env;
}

NATIVE(jint, getVersion)(JNIEnv *jni, jclass type, jint times) {
  (void)type;
  jint version = 0;
  while (times-- > 0) {
    version = (*jni)->GetVersion(jni);
  }
  return version;
}

// How often JniCalls.told(1.5, 2, 2.5f, '3', 4L, "5", 6.5, 7, 8.5, 9, 10, 11.5, 12, 13.5, 14.5, 15.5) answered the wrong object.
NATIVE(jint, callVariadic)(JNIEnv *jni, jclass type, jobject told, jobject expected, jstring text, jint times) {
  (void)type;
  jmethodID method = (*jni)->GetMethodID(
      jni, (*jni)->GetObjectClass(jni, told), "told", "(DIFCJLjava/lang/String;DIDIIDJDDD)Ljava/lang/Object;");
  jint wrong = 0;
  while (times-- > 0) {
    jobject answer = (*jni)->CallObjectMethod(
        jni, told, method, 1.5, 2, 2.5f, (jchar)'3', (jlong)4, text, 6.5, 7, 8.5, 9, 10, 11.5, (jlong)12, 13.5, 14.5, 15.5);
    wrong += (*jni)->ExceptionCheck(jni) || !(*jni)->IsSameObject(jni, answer, expected);
    (*jni)->DeleteLocalRef(jni, answer);
  }
  return wrong;
}

NATIVE(jint, getFieldId)(JNIEnv *jni, jclass type, jclass of, jint times) {
  (void)type;
  jint found = 0;
  while (times-- > 0) {
    found += (*jni)->GetFieldID(jni, of, "field", "D") != NULL;
  }
  return found;
}

#define NUMBER(name, number) \
  JNIEXPORT jint JNICALL Java_io_jvmtools_support_NativeNumbers_##name(JNIEnv *jni, jclass type) { \
    (void)jni, (void)type; \
    return number; \
  }

NUMBER(one, 1)
NUMBER(two, 2)
NUMBER(three, 3)
NUMBER(four, 4)
NUMBER(five, 5)

static void *in_table(JNIEnv *jni, jint slot) {
  return ((void *const *)*jni)[slot];
}

NATIVE(jlong, function)(JNIEnv *jni, jclass type, jint slot) {
  (void)type;
  return (jlong)in_table(jni, slot);
}

NATIVE(jint, filled)(JNIEnv *jni, jclass type) {
  (void)type;
  jint filled = 0;
  // Of an older JVM the table is shorter.
  jint version = (*jni)->GetVersion(jni);
  jint slots = version >= 0x00180000 ? 236 : version >= 0x00150000 ? 235 : 234;
  for (jint slot = 0; slot < slots; slot++) {
    filled += in_table(jni, slot) != NULL;
  }
  return filled;
}

static jint JNICALL covering(JNIEnv *jni) {
  __atomic_add_fetch(&covering_calls, 1, __ATOMIC_RELAXED);
  return covered(jni);
}

static jint change(JNIEnv *jni, void *function) {
  jniNativeInterface *table;
  jvmtiError error = (*environment(jni))->GetJNIFunctionTable(env, &table);
  if (error == JVMTI_ERROR_NONE) {
    memcpy(&table->GetVersion, &function, sizeof function);
    error = (*env)->SetJNIFunctionTable(env, table);
    (*env)->Deallocate(env, (unsigned char *)table);
  }
  return error;
}

NATIVE(jint, cover)(JNIEnv *jni, jclass type) {
  (void)type;
  covered = (*jni)->GetVersion;
  return change(jni, (void *)covering);
}

NATIVE(jint, uncover)(JNIEnv *jni, jclass type) {
  (void)type;
  return change(jni, (void *)covered);
}

NATIVE(jlong, coveringCalls)(JNIEnv *jni, jclass type) {
  (void)jni, (void)type;
  return covering_calls;
}

NATIVE(jint, save)(JNIEnv *jni, jclass type) {
  (void)type;
  return (*environment(jni))->GetJNIFunctionTable(env, &saved);
}

NATIVE(jint, putBack)(JNIEnv *jni, jclass type) {
  (void)type;
  return (*environment(jni))->SetJNIFunctionTable(env, saved);
}

NATIVE(void, remember)(JNIEnv *jni, jclass type, jint slot) {
  (void)type;
  remembered_slot = slot;
  remembered = in_table(jni, slot);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)vm, (void)options, (void)reserved;
  return JNI_OK;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
  JNIEnv *jni;
  if (remembered != NULL && (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_8) == JNI_OK) {
    puts(in_table(jni, remembered_slot) == remembered ? "restored" : "changed");
    fflush(stdout);
  }
}
