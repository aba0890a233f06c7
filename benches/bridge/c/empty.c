/* The floor: what the JVM itself takes to call a native that does nothing. */
#include <jni.h>

JNIEXPORT void JNICALL Java_io_jvmtools_benches_EmptyC_empty(JNIEnv *jni, jclass type, jlong env) {
    (void)jni;
    (void)type;
    (void)env;
}
