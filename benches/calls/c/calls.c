/* An agent in C, as small as one can be: each native is one call of the interface. */
#include <jvmti.h>
#include <stdlib.h>

static jvmtiEnv *env;
static jrawMonitorID monitor;
static jmethodID method;
static jfieldID field;
static jmethodID run;

/* A benchmark of calls that fail would measure nothing. */
static void check(jvmtiError error) {
    if (error != JVMTI_ERROR_NONE) {
        abort();
    }
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_CallsC_open(JNIEnv *jni, jclass type) {
    (void)type;
    JavaVM *vm;
    jvmtiCapabilities capabilities = {0};
    if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK || (*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK) {
        abort();
    }
    capabilities.can_tag_objects = 1;
    capabilities.can_get_current_thread_cpu_time = 1;
    capabilities.can_get_thread_cpu_time = 1;
    capabilities.can_get_bytecodes = 1;
    capabilities.can_get_line_numbers = 1;
    capabilities.can_access_local_variables = 1;
    check((*env)->AddCapabilities(env, &capabilities));
    check((*env)->CreateRawMonitor(env, "benches", &monitor));
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_CallsC_about(JNIEnv *jni, jclass type, jobject someMethod,
                                                             jobject someField) {
    (void)type;
    method = (*jni)->FromReflectedMethod(jni, someMethod);
    field = (*jni)->FromReflectedField(jni, someField);
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_CallsC_methodId(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    return (jlong)method;
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_CallsC_fieldId(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    return (jlong)field;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getThreadState(JNIEnv *jni, jclass type, jthread thread) {
    (void)jni;
    (void)type;
    jint state;
    check((*env)->GetThreadState(env, thread, &state));
    return state;
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_CallsC_getTag(JNIEnv *jni, jclass type, jobject object) {
    (void)jni;
    (void)type;
    jlong tag;
    check((*env)->GetTag(env, object, &tag));
    return tag;
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_CallsC_setTag(JNIEnv *jni, jclass type, jobject object, jlong tag) {
    (void)jni;
    (void)type;
    check((*env)->SetTag(env, object, tag));
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_CallsC_getTime(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    jlong nanos;
    check((*env)->GetTime(env, &nanos));
    return nanos;
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_CallsC_getCurrentThreadCpuTime(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    jlong nanos;
    check((*env)->GetCurrentThreadCpuTime(env, &nanos));
    return nanos;
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_CallsC_getThreadCpuTime(JNIEnv *jni, jclass type, jthread thread) {
    (void)jni;
    (void)type;
    jlong nanos;
    check((*env)->GetThreadCpuTime(env, thread, &nanos));
    return nanos;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getFrameCount(JNIEnv *jni, jclass type, jthread thread) {
    (void)jni;
    (void)type;
    jint count;
    check((*env)->GetFrameCount(env, thread, &count));
    return count;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getLocalInt(JNIEnv *jni, jclass type, jthread thread, jint depth, jint slot) {
    (void)jni;
    (void)type;
    jint value;
    check((*env)->GetLocalInt(env, thread, depth, slot, &value));
    return value;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getObjectHashCode(JNIEnv *jni, jclass type, jobject object) {
    (void)jni;
    (void)type;
    jint hash;
    check((*env)->GetObjectHashCode(env, object, &hash));
    return hash;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getClassModifiers(JNIEnv *jni, jclass type, jclass target) {
    (void)jni;
    (void)type;
    jint modifiers;
    check((*env)->GetClassModifiers(env, target, &modifiers));
    return modifiers;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getMethodModifiers(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    jint modifiers;
    check((*env)->GetMethodModifiers(env, method, &modifiers));
    return modifiers;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getFieldModifiers(JNIEnv *jni, jclass type, jclass target) {
    (void)jni;
    (void)type;
    jint modifiers;
    check((*env)->GetFieldModifiers(env, target, field, &modifiers));
    return modifiers;
}

JNIEXPORT jboolean JNICALL Java_io_jvmtools_benches_CallsC_isModifiableModule(JNIEnv *jni, jclass type, jobject module) {
    (void)jni;
    (void)type;
    jboolean modifiable;
    check((*env)->IsModifiableModule(env, module, &modifiable));
    return modifiable;
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_CallsC_whileEntered(JNIEnv *jni, jclass type, jobject action) {
    (void)type;
    if (run == NULL) {
        run = (*jni)->GetMethodID(jni, (*jni)->FindClass(jni, "java/lang/Runnable"), "run", "()V");
    }
    check((*env)->RawMonitorEnter(env, monitor));
    (*jni)->CallVoidMethod(jni, action, run);
    check((*env)->RawMonitorExit(env, monitor));
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_CallsC_setAndClearBreakpoint(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    check((*env)->SetBreakpoint(env, method, 0));
    check((*env)->ClearBreakpoint(env, method, 0));
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_CallsC_setAndClearWatch(JNIEnv *jni, jclass type, jclass target) {
    (void)jni;
    (void)type;
    check((*env)->SetFieldAccessWatch(env, target, field));
    check((*env)->ClearFieldAccessWatch(env, target, field));
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_CallsC_getPhase(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    jvmtiPhase phase;
    check((*env)->GetPhase(env, &phase));
    return (jint)phase;
}

/* What one environment alone can hold. */
JNIEXPORT void JNICALL Java_io_jvmtools_benches_CallsC_holdPlaces(JNIEnv *jni, jclass type, jboolean hold) {
    (void)jni;
    (void)type;
    jvmtiCapabilities capabilities = {0};
    capabilities.can_generate_breakpoint_events = 1;
    capabilities.can_generate_field_access_events = 1;
    check(hold ? (*env)->AddCapabilities(env, &capabilities) : (*env)->RelinquishCapabilities(env, &capabilities));
}
