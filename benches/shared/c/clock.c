/* CPU clocks with the resolution that the kernel has. */
#include <jni.h>
#include <time.h>

static jlong nanos(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (jlong)now.tv_sec * 1000000000 + now.tv_nsec;
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_ClockC_threadCpuNanos(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    return nanos(CLOCK_THREAD_CPUTIME_ID);
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_ClockC_processCpuNanos(JNIEnv *jni, jclass type) {
    (void)jni;
    (void)type;
    return nanos(CLOCK_PROCESS_CPUTIME_ID);
}
