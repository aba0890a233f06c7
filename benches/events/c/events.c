/* What an event costs that is delivered to a callback in C which does nothing: the least that any agent pays. */
#include <jvmti.h>
#include <stdlib.h>

static jvmtiEnv *env;
static jint told;

static void check(jvmtiError error) {
    if (error != JVMTI_ERROR_NONE) {
        abort();
    }
}

static void JNICALL exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method, jlocation location,
                              jobject thrown, jmethodID catch_method, jlocation catch_location) {
    (void)jvmti, (void)jni, (void)thread, (void)method, (void)location, (void)thrown, (void)catch_method;
    (void)catch_location;
}

static void JNICALL dynamic_code(jvmtiEnv *jvmti, const char *name, const void *address, jint length) {
    (void)jvmti, (void)name, (void)address, (void)length;
    told++;
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_EventsC_open(JNIEnv *jni, jclass type) {
    (void)type;
    JavaVM *vm;
    jvmtiCapabilities capabilities = {0};
    jvmtiEventCallbacks callbacks = {0};
    if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK || (*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK) {
        abort();
    }
    capabilities.can_generate_exception_events = 1;
    check((*env)->AddCapabilities(env, &capabilities));
    callbacks.Exception = exception;
    callbacks.DynamicCodeGenerated = dynamic_code;
    check((*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks));
    check((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_DYNAMIC_CODE_GENERATED, NULL));
}

/* On the calling thread. */
JNIEXPORT void JNICALL Java_io_jvmtools_benches_EventsC_exceptions(JNIEnv *jni, jclass type, jboolean enabled) {
    (void)jni;
    (void)type;
    check((*env)->SetEventNotificationMode(env, enabled ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION, NULL));
}

/* How many events that were. */
JNIEXPORT jint JNICALL Java_io_jvmtools_benches_EventsC_generate(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    told = 0;
    check((*env)->GenerateEvents(env, JVMTI_EVENT_DYNAMIC_CODE_GENERATED));
    return told;
}
