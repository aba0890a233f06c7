// An agent that listens to freed objects, and stops. While that event is turned off, HotSpot waits for its Service Thread
// to have posted it, and lets no safepoint begin; if one has begun, the Service Thread waits for that, and the JVM
// stands still for ever: no answer to SIGQUIT or SIGTERM.
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libfreed.so freed.c
//   javac --release 17 Freed.java
//   java -agentpath:$PWD/libfreed.so -cp . Freed 3000
//
// It stood still in 12 of 12 runs on 17.0.15, 21.0.8 and 25.0.3, within seconds.
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *env;

static void JNICALL object_free(jvmtiEnv *own, jlong tag) { (void)own, (void)tag; }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)options, (void)reserved;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_tag_objects = 1;
  wanted.can_generate_object_free_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.ObjectFree = object_free;
  if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK ||
      (*env)->AddCapabilities(env, &wanted)) {
    return JNI_ERR;
  }
  return (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks);
}

JNIEXPORT jint JNICALL Java_Freed_listen(JNIEnv *jni, jclass type, jboolean on) {
  (void)jni, (void)type;
  return (*env)->SetEventNotificationMode(env, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_OBJECT_FREE, NULL);
}

JNIEXPORT jint JNICALL Java_Freed_tag(JNIEnv *jni, jclass type, jobject object) {
  (void)jni, (void)type;
  return (*env)->SetTag(env, object, 7);
}
