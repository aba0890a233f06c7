/* The natives of one copy of the Java classes, called as Java calls them. */
#ifndef BINDING_H
#define BINDING_H

#include <jni.h>

enum { CLOSED = -1, PANIC = -2 };

/* The class that admits copies, of the library's ABI. */
#define DOOR "jvmtools/Door1"

/* Loads the library as System.load does. */
void load_as_java_does(void);

/* Door.admit, as the JVM finds it in an agent. */
void admit_probe(const char *probe_class);

/* Probe.bind: NULL or the answer. */
const char *bind_probe(const char *probe_class, jint abi);

/* Loads and binds the classes of the jar. */
void bind_classes(void);

/* Finds what was registered. */
void *native_of(const char *class_name, const char *method);

jlong open_for_java(void);
/* One that shares no environment of the VM, and that no other one gets after it: something is tagged in it. */
jlong open_own_for_java(void);
jboolean close_for_java(jlong handle);
jint version_for_java(JNIEnv *jni, jlong handle);

#endif
