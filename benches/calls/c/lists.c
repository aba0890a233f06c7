/* What calls that answer lists cost an agent in C which hands them to Java as arrays. */
#include <jvmti.h>
#include <stdlib.h>

static jvmtiEnv *env;

static void check(jvmtiError error) {
    if (error != JVMTI_ERROR_NONE) {
        abort();
    }
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_ListsC_open(JNIEnv *jni, jclass type) {
    (void)type;
    JavaVM *vm;
    jvmtiCapabilities capabilities = {0};
    if ((*jni)->GetJavaVM(jni, &vm) != JNI_OK || (*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK) {
        abort();
    }
    capabilities.can_tag_objects = 1;
    capabilities.can_get_bytecodes = 1;
    capabilities.can_get_line_numbers = 1;
    check((*env)->AddCapabilities(env, &capabilities));
}

static void release(void *memory) { check((*env)->Deallocate(env, memory)); }

/* Local references of a native die when it returns; those of a long list would be too many until then. */
static jobjectArray array(JNIEnv *jni, const char *element, jint count, jobject *objects) {
    jobjectArray all = (*jni)->NewObjectArray(jni, count, (*jni)->FindClass(jni, element), NULL);
    for (jint i = 0; i < count; i++) {
        (*jni)->SetObjectArrayElement(jni, all, i, objects[i]);
        (*jni)->DeleteLocalRef(jni, objects[i]);
    }
    release(objects);
    return all;
}

/* The text as a string of Java, in its place. */
static void put(JNIEnv *jni, jobjectArray all, jint at, char *text) {
    jstring string = (*jni)->NewStringUTF(jni, text);
    (*jni)->SetObjectArrayElement(jni, all, at, string);
    (*jni)->DeleteLocalRef(jni, string);
    release(text);
}

static jlongArray ids(JNIEnv *jni, jint count, void *ids) {
    jlongArray all = (*jni)->NewLongArray(jni, count);
    (*jni)->SetLongArrayRegion(jni, all, 0, count, ids);
    release(ids);
    return all;
}

JNIEXPORT jobjectArray JNICALL Java_io_jvmtools_benches_ListsC_loadedClasses(JNIEnv *jni, jclass type) {
    (void)type;
    jint count;
    jclass *classes;
    check((*env)->GetLoadedClasses(env, &count, &classes));
    return array(jni, "java/lang/Class", count, classes);
}

JNIEXPORT jobjectArray JNICALL Java_io_jvmtools_benches_ListsC_interfaces(JNIEnv *jni, jclass type, jclass target) {
    (void)type;
    jint count;
    jclass *classes;
    check((*env)->GetImplementedInterfaces(env, target, &count, &classes));
    return array(jni, "java/lang/Class", count, classes);
}

JNIEXPORT jlongArray JNICALL Java_io_jvmtools_benches_ListsC_methods(JNIEnv *jni, jclass type, jclass target) {
    (void)type;
    jint count;
    jmethodID *methods;
    check((*env)->GetClassMethods(env, target, &count, &methods));
    return ids(jni, count, methods);
}

/* A field is its name, its type and its modifiers. */
JNIEXPORT jobjectArray JNICALL Java_io_jvmtools_benches_ListsC_fields(JNIEnv *jni, jclass type, jclass target,
                                                                      jintArray modifiers) {
    (void)type;
    jint count;
    jfieldID *fields;
    check((*env)->GetClassFields(env, target, &count, &fields));
    jobjectArray all = (*jni)->NewObjectArray(jni, 2 * count, (*jni)->FindClass(jni, "java/lang/String"), NULL);
    for (jint i = 0; i < count; i++) {
        char *name;
        char *signature;
        jint bits;
        check((*env)->GetFieldName(env, target, fields[i], &name, &signature, NULL));
        check((*env)->GetFieldModifiers(env, target, fields[i], &bits));
        put(jni, all, 2 * i, name);
        put(jni, all, 2 * i + 1, signature);
        (*jni)->SetIntArrayRegion(jni, modifiers, i, 1, &bits);
    }
    release(fields);
    return all;
}

JNIEXPORT jobjectArray JNICALL Java_io_jvmtools_benches_ListsC_modules(JNIEnv *jni, jclass type) {
    (void)type;
    jint count;
    jobject *modules;
    check((*env)->GetAllModules(env, &count, &modules));
    return array(jni, "java/lang/Module", count, modules);
}

JNIEXPORT jobjectArray JNICALL Java_io_jvmtools_benches_ListsC_threads(JNIEnv *jni, jclass type) {
    (void)type;
    jint count;
    jthread *threads;
    check((*env)->GetAllThreads(env, &count, &threads));
    return array(jni, "java/lang/Thread", count, threads);
}

JNIEXPORT jintArray JNICALL Java_io_jvmtools_benches_ListsC_lineNumbers(JNIEnv *jni, jclass type, jlong method) {
    (void)type;
    jint count;
    jvmtiLineNumberEntry *entries;
    check((*env)->GetLineNumberTable(env, (jmethodID)method, &count, &entries));
    jint *pairs = malloc(2 * sizeof(jint) * (size_t)count);
    for (jint i = 0; i < count; i++) {
        pairs[2 * i] = (jint)entries[i].start_location;
        pairs[2 * i + 1] = entries[i].line_number;
    }
    release(entries);
    jintArray all = (*jni)->NewIntArray(jni, 2 * count);
    (*jni)->SetIntArrayRegion(jni, all, 0, 2 * count, pairs);
    free(pairs);
    return all;
}

JNIEXPORT jbyteArray JNICALL Java_io_jvmtools_benches_ListsC_bytecodes(JNIEnv *jni, jclass type, jlong method) {
    (void)type;
    jint count;
    unsigned char *bytes;
    check((*env)->GetBytecodes(env, (jmethodID)method, &count, &bytes));
    jbyteArray all = (*jni)->NewByteArray(jni, count);
    (*jni)->SetByteArrayRegion(jni, all, 0, count, (jbyte *)bytes);
    release(bytes);
    return all;
}

JNIEXPORT jobjectArray JNICALL Java_io_jvmtools_benches_ListsC_properties(JNIEnv *jni, jclass type) {
    (void)type;
    jint count;
    char **names;
    check((*env)->GetSystemProperties(env, &count, &names));
    jobjectArray all = (*jni)->NewObjectArray(jni, 2 * count, (*jni)->FindClass(jni, "java/lang/String"), NULL);
    for (jint i = 0; i < count; i++) {
        char *value;
        check((*env)->GetSystemProperty(env, names[i], &value));
        put(jni, all, 2 * i, names[i]);
        put(jni, all, 2 * i + 1, value);
    }
    release(names);
    return all;
}

JNIEXPORT void JNICALL Java_io_jvmtools_benches_ListsC_setTag(JNIEnv *jni, jclass type, jobject object, jlong tag) {
    (void)type;
    (void)jni;
    check((*env)->SetTag(env, object, tag));
}

JNIEXPORT jobjectArray JNICALL Java_io_jvmtools_benches_ListsC_withTag(JNIEnv *jni, jclass type, jlong tag) {
    (void)type;
    jint count;
    jobject *objects;
    check((*env)->GetObjectsWithTags(env, 1, &tag, &count, &objects, NULL));
    return array(jni, "java/lang/Object", count, objects);
}

JNIEXPORT jlong JNICALL Java_io_jvmtools_benches_ListsC_methodId(JNIEnv *jni, jclass type, jobject executable) {
    (void)type;
    return (jlong)(*jni)->FromReflectedMethod(jni, executable);
}
