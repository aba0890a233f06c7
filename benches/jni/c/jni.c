/* The same call through the JVM's table of JNI functions, and through a copy of it that nobody changes. */
#include <jni.h>

static struct JNINativeInterface_ copy;

JNIEXPORT void JNICALL Java_io_jvmtools_benches_JniC_copyTable(JNIEnv *jni, jclass type) {
    (void)type;
    copy.GetVersion = (*jni)->GetVersion;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_JniC_table(JNIEnv *jni, jclass type, jint times) {
    (void)type;
    jint sum = 0;
    while (times-- > 0) {
        sum += (*jni)->GetVersion(jni);
    }
    return sum;
}

JNIEXPORT jint JNICALL Java_io_jvmtools_benches_JniC_copy(JNIEnv *jni, jclass type, jint times) {
    (void)type;
    const struct JNINativeInterface_ *volatile table = &copy;
    jint sum = 0;
    while (times-- > 0) {
        sum += table->GetVersion(jni);
    }
    return sum;
}
