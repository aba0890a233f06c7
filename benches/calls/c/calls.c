/* An agent in C, as small as one can be: each native is one call of the interface. */
#include <jvmti.h>
#include <stdlib.h>

static jvmtiEnv *env;

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
    check((*env)->AddCapabilities(env, &capabilities));
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
