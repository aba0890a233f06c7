// An agent that pops, or returns from, the innermost frame of a thread that is suspended. The JVM ends within seconds
// where the method was called by reflection (pop; 21 and 25), is linking an instruction (return; 17, 21 and 25), has been
// popped already and returns before it has run (-Xint; 17, 21 and 25), or is of a class that is redefined before the pop
// (17 and 25; 21 now and then). Where it throws, the constructor of the exception returns instead (-Xint; 17, 21 and 25).
//
//   cc -O1 -shared -fPIC -I$JAVA_HOME/include -I$JAVA_HOME/include/linux -o libpopping.so popping.c
//   javac --release 17 Popping.java
//   java -agentpath:$PWD/libpopping.so -cp . Popping $PWD/libpopping.so 10 reflected
//   java -agentpath:$PWD/libpopping.so -cp . Popping $PWD/libpopping.so 10 linking
//   java -agentpath:$PWD/libpopping.so -Xint -cp . Popping $PWD/libpopping.so 10 twice
//   java -agentpath:$PWD/libpopping.so -cp . Popping $PWD/libpopping.so 10 redefined
//   java -agentpath:$PWD/libpopping.so -Xint -cp . Popping $PWD/libpopping.so 10 throwing
#include <jvmti.h>
#include <string.h>

static jvmtiEnv *env;

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)options, (void)reserved;
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_suspend = 1;
  wanted.can_pop_frame = 1;
  wanted.can_force_early_return = 1;
  wanted.can_redefine_classes = 1;
  if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK) {
    return JNI_ERR;
  }
  return (*env)->AddCapabilities(env, &wanted) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}

// Whether the innermost frame is of a method named `victim`.
static int is_victim(jthread thread) {
  jmethodID method;
  jlocation location;
  char *name;
  if ((*env)->GetFrameLocation(env, thread, 0, &method, &location) || location < 0 ||
      (*env)->GetMethodName(env, method, &name, NULL, NULL)) {
    return 0;
  }
  const int is = strcmp(name, "victim") == 0;
  (*env)->Deallocate(env, (unsigned char *)name);
  return is;
}

// Pops the frame if `value` is null, or else returns it; 1 if that was done.
JNIEXPORT jint JNICALL Java_Popping_leave(JNIEnv *jni, jclass type, jthread thread, jobject value) {
  (void)jni, (void)type;
  if ((*env)->SuspendThread(env, thread) != JVMTI_ERROR_NONE) {
    return 0;
  }
  const jint done = is_victim(thread) && (value == NULL ? (*env)->PopFrame(env, thread)
                                                        : (*env)->ForceEarlyReturnObject(env, thread, value)) == JVMTI_ERROR_NONE;
  (*env)->ResumeThread(env, thread);
  return done;
}

// Pops the frame, and returns 3 from what is innermost as soon as the thread may have run; 1 if both were done.
JNIEXPORT jint JNICALL Java_Popping_twice(JNIEnv *jni, jclass type, jthread thread) {
  (void)jni, (void)type;
  if ((*env)->SuspendThread(env, thread) != JVMTI_ERROR_NONE) {
    return 0;
  }
  jint done = is_victim(thread) && (*env)->PopFrame(env, thread) == JVMTI_ERROR_NONE;
  (*env)->ResumeThread(env, thread);
  if (done && (*env)->SuspendThread(env, thread) == JVMTI_ERROR_NONE) {
    done = is_victim(thread) && (*env)->ForceEarlyReturnInt(env, thread, 3) == JVMTI_ERROR_NONE;
    (*env)->ResumeThread(env, thread);
  }
  return done;
}

// Gives the class the same class file once more, and then pops a frame, of it or of its caller; 1 if both were done.
JNIEXPORT jint JNICALL Java_Popping_redefined(JNIEnv *jni, jclass type, jthread thread, jclass changed, jbyteArray file) {
  (void)type;
  if ((*env)->SuspendThread(env, thread) != JVMTI_ERROR_NONE) {
    return 0;
  }
  jint done = 1;
  if (done) {
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    const jvmtiClassDefinition definition = {changed, (*jni)->GetArrayLength(jni, file), (unsigned char *)bytes};
    done = (*env)->RedefineClasses(env, 1, &definition) == JVMTI_ERROR_NONE && (*env)->PopFrame(env, thread) == JVMTI_ERROR_NONE;
    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
  }
  (*env)->ResumeThread(env, thread);
  return done;
}
