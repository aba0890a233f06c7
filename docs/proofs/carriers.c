// An agent that asks for events of one virtual thread alone, which is mounted meanwhile, and for the ends of all threads, or
// of none (which gives each thread, carriers, too, a state). Of MethodEntry the thread is then not told; of Exception it
// misses some while ThreadEnd is turned on and off, and the carriers are asked for, and nearly all once others carry it.
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libcarriers.so carriers.c
//   javac --release 21 Carriers.java
//   java -agentpath:$PWD/libcarriers.so -cp . Carriers entry m
//   java -agentpath:$PWD/libcarriers.so -cp . Carriers entry am
//   java -agentpath:$PWD/libcarriers.so -cp . Carriers entry dm
//   java -agentpath:$PWD/libcarriers.so -cp . Carriers exception ed
//   java -agentpath:$PWD/libcarriers.so -Djdk.virtualThreadScheduler.parallelism=16 -cp . Carriers exception y
//
// a: ThreadEnd of all, d: no ThreadEnd of each thread, m: MethodEntry of the virtual thread, e: ThreadEnd on and off,
// y: it is carried by one after the other.
// On 21.0.8 and 25.0.3: m told 3 of 3, am and dm 0 of 3; exception e or d missed none, ed, in one run of
// three, 603 of 169,510 (21) and 971 of 260,879 (25); y, in each of six runs on either, told 1 to 4 of 100.
#include <jvmti.h>
#include <string.h>

// The second one asks for the ends of threads.
static jvmtiEnv *env, *other;
static volatile jlong told;
static jmethodID entered;

static void JNICALL method_entry(jvmtiEnv *own, JNIEnv *jni, jthread thread, jmethodID method) {
  (void)own, (void)jni, (void)thread;
  if (method == entered) {
    told++;
  }
}

static void JNICALL exception(jvmtiEnv *own, JNIEnv *jni, jthread thread, jmethodID method, jlocation location,
                              jobject thrown, jmethodID catches, jlocation where) {
  (void)own, (void)jni, (void)thread, (void)method, (void)location, (void)thrown, (void)catches, (void)where;
  told++;
}

static void JNICALL thread_end(jvmtiEnv *own, JNIEnv *jni, jthread thread) {
  (void)own, (void)jni, (void)thread;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)options, (void)reserved;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_generate_method_entry_events = 1;
  wanted.can_generate_exception_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.MethodEntry = method_entry;
  callbacks.Exception = exception;
  callbacks.ThreadEnd = thread_end;
  if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK ||
      (*vm)->GetEnv(vm, (void **)&other, JVMTI_VERSION_11) != JNI_OK ||
      (*env)->AddCapabilities(env, &wanted) ||
      (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks)) {
    return JNI_ERR;
  }
  return (*other)->SetEventCallbacks(other, &callbacks, sizeof callbacks);
}

JNIEXPORT void JNICALL Java_Carriers_ends(JNIEnv *jni, jclass type, jboolean on) {
  (void)jni, (void)type;
  (*other)->SetEventNotificationMode(other, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_THREAD_END, NULL);
}

JNIEXPORT void JNICALL Java_Carriers_states(JNIEnv *jni, jclass type) {
  (void)type;
  jint count;
  jthread *threads;
  (*other)->GetAllThreads(other, &count, &threads);
  for (jint i = 0; i < count; i++) {
    (*other)->SetEventNotificationMode(other, JVMTI_DISABLE, JVMTI_EVENT_THREAD_END, threads[i]);
    (*jni)->DeleteLocalRef(jni, threads[i]);
  }
  (*other)->Deallocate(other, (unsigned char *)threads);
}

JNIEXPORT void JNICALL Java_Carriers_entries(JNIEnv *jni, jclass type, jthread thread) {
  entered = (*jni)->GetStaticMethodID(jni, type, "method", "()V");
  (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, thread);
}

JNIEXPORT void JNICALL Java_Carriers_exceptions(JNIEnv *jni, jclass type, jthread thread) {
  (void)jni, (void)type;
  (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, thread);
}

JNIEXPORT jlong JNICALL Java_Carriers_told(JNIEnv *jni, jclass type) {
  (void)jni, (void)type;
  return told;
}
