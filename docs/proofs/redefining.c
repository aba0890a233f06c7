// An agent that sets and clears a breakpoint in a class that another thread redefines meanwhile. The JVM ends within
// seconds: "no original bytecode found", or a SIGSEGV in Method::set_breakpoint.
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libredefining.so redefining.c
//   javac Redefining.java
//   java -agentpath:$PWD/libredefining.so -cp . Redefining $PWD/libredefining.so 10
#include <jvmti.h>
#include <string.h>

#define NATIVE(name) JNIEXPORT jint JNICALL Java_Redefining_##name

static jvmtiEnv *env;

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)options, (void)reserved;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_redefine_classes = 1;
  wanted.can_generate_breakpoint_events = 1;
  if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK) {
    return JNI_ERR;
  }
  return (*env)->AddCapabilities(env, &wanted) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

static jmethodID method(JNIEnv *jni, jclass victim) {
  return (*jni)->GetMethodID(jni, victim, "next", "(I)I");
}

NATIVE(set)(JNIEnv *jni, jclass type, jclass victim) {
  (void)type;
  return (*env)->SetBreakpoint(env, method(jni, victim), 0);
}

NATIVE(clear)(JNIEnv *jni, jclass type, jclass victim) {
  (void)type;
  return (*env)->ClearBreakpoint(env, method(jni, victim), 0);
}

NATIVE(redefine)(JNIEnv *jni, jclass type, jclass victim, jbyteArray file) {
  (void)type;
  jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
  const jvmtiClassDefinition definition = {victim, (*jni)->GetArrayLength(jni, file), (const unsigned char *)bytes};
  const jint answer = (*env)->RedefineClasses(env, 1, &definition);
  (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
  return answer;
}
