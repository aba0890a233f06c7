// What an environment costs the JVM, the more there are: an agent that opens thousands, gives each a capability and a
// tag, and then disposes of all.
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libenvironments.so environments.c
//   java Environments.java $PWD/libenvironments.so 20000
//   java Environments.java $PWD/libenvironments.so 20000 tag
//
// GetEnv and DisposeEnvironment each walk through all environments that there are, those disposed of since the last
// collection with them, and more so if they have tags. 20,000 on two cores, microseconds each, from the first
// to the last tenth: with a capability, 17.0: opening 7 to 148, disposing 220 each; 25.0.3: 5 to 156, and 460; with a tag, too,
// 17: 15 to 490, and 600; 25: 17 to 403, and 1,220.
#include <jvmti.h>
#include <stdlib.h>
#include <string.h>

static JavaVM *vm;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *own, void *reserved) {
  (void)reserved;
  vm = own;
  return JNI_VERSION_10;
}

static jlong now(jvmtiEnv *env) {
  jlong time;
  (*env)->GetTime(env, &time);
  return time;
}

// Opens so many more; microseconds for each of opening it, its capability and its tag.
JNIEXPORT void JNICALL Java_Environments_open(JNIEnv *jni, jclass type, jlongArray all, jint from, jint count,
                                              jobject tagged, jdoubleArray micros) {
  (void)type;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_tag_objects = 1;
  jvmtiEnv *clock;
  (*vm)->GetEnv(vm, (void **)&clock, JVMTI_VERSION_1_2);
  jlong spent[3] = {0};
  for (jint i = from; i < from + count; i++) {
    jlong start = now(clock);
    jvmtiEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) {
      abort();
    }
    jlong opened = now(clock);
    if ((*env)->AddCapabilities(env, &wanted) != JVMTI_ERROR_NONE) {
      abort();
    }
    jlong able = now(clock);
    if (tagged != NULL && (*env)->SetTag(env, tagged, i + 1) != JVMTI_ERROR_NONE) {
      abort();
    }
    spent[0] += opened - start;
    spent[1] += able - opened;
    spent[2] += now(clock) - able;
    jlong address = (jlong)(size_t)env;
    (*jni)->SetLongArrayRegion(jni, all, i, 1, &address);
  }
  for (jint i = 0; i < 3; i++) {
    jdouble each = spent[i] / 1e3 / count;
    (*jni)->SetDoubleArrayRegion(jni, micros, i, 1, &each);
  }
  (*clock)->DisposeEnvironment(clock);
}

// Disposes of so many; microseconds for each.
JNIEXPORT jdouble JNICALL Java_Environments_dispose(JNIEnv *jni, jclass type, jlongArray all, jint from, jint count) {
  (void)type;
  jvmtiEnv *clock;
  (*vm)->GetEnv(vm, (void **)&clock, JVMTI_VERSION_1_2);
  jlong start = now(clock);
  for (jint i = from; i < from + count; i++) {
    jlong address;
    (*jni)->GetLongArrayRegion(jni, all, i, 1, &address);
    jvmtiEnv *env = (jvmtiEnv *)(size_t)address;
    (*env)->DisposeEnvironment(env);
  }
  jdouble each = (now(clock) - start) / 1e3 / count;
  (*clock)->DisposeEnvironment(clock);
  return each;
}
