/* The functions of JNI that the library calls when it binds classes, registers natives and raises exceptions. */
#include "fake_vm.h"

#include "check.h"
#include "traps.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CLASSES = 256, MOST_NATIVES = 512 };

struct Native {
  jclass class;
  char *method;
  void *function;
};

static struct JNINativeInterface_ table;
static struct FakeThread threads[FAKE_THREADS];
static jclass classes[MOST_CLASSES];
static struct Native natives[MOST_NATIVES];
static int class_count;
static int native_count;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

JNIEnv *jni_of(int thread) {
  return &threads[thread].functions;
}

struct FakeThread *thread_of(JNIEnv *jni) {
  struct FakeThread *thread = (struct FakeThread *)jni;
  expect(thread >= threads && thread < threads + FAKE_THREADS, "JNI: no JNIEnv of this VM");
  return thread;
}

/* Every function passes here, except those that may be called while an exception is pending. */
static struct FakeThread *calm(JNIEnv *jni, const char *function) {
  struct FakeThread *thread = thread_of(jni);
  if (thread->pending != NULL) {
    fail("%s: called while an exception is pending", function);
  }
  return thread;
}

jobject new_object(const char *of, const char *text) {
  struct FakeObject *object = malloc(sizeof *object);
  expect(object != NULL, "no memory");
  *object = (struct FakeObject){.of = of, .text = strdup(text)};
  return (jobject)object;
}

const char *text_of(jobject reference, const char *of) {
  const struct FakeObject *object = (const struct FakeObject *)reference;
  if (object == NULL || strcmp(object->of, of) != 0) {
    fail("a reference to %s, not to a %s", object == NULL ? "nothing" : object->of, of);
  }
  return object->text;
}

jclass class_named(const char *name) {
  pthread_mutex_lock(&turn);
  int index = 0;
  while (index < class_count && strcmp(text_of(classes[index], "class"), name) != 0) {
    index++;
  }
  if (index == class_count) {
    expect(class_count < MOST_CLASSES, "too many classes");
    classes[class_count++] = new_object("class", name);
  }
  jclass class = classes[index];
  pthread_mutex_unlock(&turn);
  return class;
}

void *native(const char *class_name, const char *method) {
  jclass class = class_named(class_name);
  for (int i = native_count - 1; i >= 0; i--) {
    if (natives[i].class == class && strcmp(natives[i].method, method) == 0) {
      return natives[i].function;
    }
  }
  return NULL;
}

static jint JNICALL get_java_vm(JNIEnv *jni, JavaVM **result) {
  thread_of(jni);
  *result = &vm.functions;
  return JNI_OK;
}

static jclass JNICALL find_class(JNIEnv *jni, const char *name) {
  calm(jni, "FindClass");
  return class_named(name);
}

static jclass JNICALL define_class(JNIEnv *jni, const char *name, jobject loader, const jbyte *bytes, jsize length) {
  static const unsigned char magic[] = {0xca, 0xfe, 0xba, 0xbe};
  calm(jni, "DefineClass");
  expect(loader == NULL, "DefineClass: not in the boot class loader");
  vm.classes_defined++;
  expect(length > (jsize)sizeof magic && memcmp(bytes, magic, sizeof magic) == 0, "DefineClass: no class file");
  return class_named(name);
}

static jint JNICALL register_natives(JNIEnv *jni, jclass class, const JNINativeMethod *methods, jint count) {
  calm(jni, "RegisterNatives");
  text_of(class, "class");
  for (jint i = 0; i < count; i++) {
    expect(native_count < MOST_NATIVES, "RegisterNatives: too many");
    expect(methods[i].fnPtr != NULL && methods[i].signature[0] == '(', "RegisterNatives: no native method");
    natives[native_count++] =
        (struct Native){.class = class, .method = strdup(methods[i].name), .function = methods[i].fnPtr};
  }
  return JNI_OK;
}

static jmethodID JNICALL get_method_id(JNIEnv *jni, jclass class, const char *name, const char *signature) {
  calm(jni, "GetMethodID");
  text_of(class, "class");
  expect(signature[0] == '(', "GetMethodID: no signature of a method");
  return (jmethodID)new_object("method", name);
}

static jobject JNICALL same_reference(JNIEnv *jni, jobject object) {
  thread_of(jni);
  return object;
}

static void JNICALL clear_exception(JNIEnv *jni) {
  thread_of(jni)->pending = NULL;
}

static void JNICALL forget_reference(JNIEnv *jni, jobject object) {
  (void)object;
  thread_of(jni);
}

static jboolean JNICALL is_same_object(JNIEnv *jni, jobject one, jobject other) {
  thread_of(jni);
  return one == other;
}

static jint JNICALL push_local_frame(JNIEnv *jni, jint count) {
  thread_of(jni);
  return count >= 0 ? JNI_OK : JNI_ERR;
}

static jbyteArray JNICALL new_byte_array(JNIEnv *jni, jsize length) {
  calm(jni, "NewByteArray");
  expect(length >= 0, "NewByteArray: a negative length");
  return new_object("bytes", "");
}

static jboolean JNICALL is_assignable_from(JNIEnv *jni, jclass sub, jclass super) {
  calm(jni, "IsAssignableFrom");
  text_of(sub, "class");
  text_of(super, "class");
  return JNI_TRUE;
}

static jstring JNICALL new_string_utf(JNIEnv *jni, const char *text) {
  calm(jni, "NewStringUTF");
  return new_object("string", text);
}

static const char *JNICALL get_string_utf_chars(JNIEnv *jni, jstring string, jboolean *copied) {
  calm(jni, "GetStringUTFChars");
  if (copied != NULL) {
    *copied = JNI_FALSE;
  }
  return text_of(string, "string");
}

static void JNICALL release_string_utf_chars(JNIEnv *jni, jstring string, const char *text) {
  thread_of(jni);
  expect(text == text_of(string, "string"), "ReleaseStringUTFChars: not of this string");
}

static jboolean JNICALL exception_check(JNIEnv *jni) {
  return thread_of(jni)->pending != NULL;
}

static jthrowable JNICALL exception_occurred(JNIEnv *jni) {
  return thread_of(jni)->pending;
}

/* Thread.sleep(long). */
static void sleep_for(jlong milliseconds) {
  atomic_fetch_add(&vm.rests, 1);
  nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000 * 1000}, NULL);
}

/* Failures.raise(int code, String function, String detail, long env), which throws; or Thread.sleep(long). */
static void JNICALL call_static_void_method(JNIEnv *jni, jclass class, jmethodID method, const jvalue *arguments) {
  struct FakeThread *thread = calm(jni, "CallStaticVoidMethodA");
  if (strcmp(text_of((jobject)method, "method"), "sleep") == 0) {
    expect_text("CallStaticVoidMethodA: the class", text_of(class, "class"), "java/lang/Thread");
    sleep_for(arguments[0].j);
    return;
  }
  expect_text("CallStaticVoidMethodA: the class", text_of(class, "class"), "io/jvmtools/internal/failure/Failures");
  expect_text("CallStaticVoidMethodA: the method", text_of((jobject)method, "method"), "raise");
  thread->code = arguments[0].i;
  snprintf(thread->function, sizeof thread->function, "%s", text_of(arguments[1].l, "string"));
  snprintf(thread->detail, sizeof thread->detail, "%s", text_of(arguments[2].l, "string"));
  thread->pending = new_object("exception", thread->detail);
}

/*
 * System.getSecurityManager(): there is none. Class.forName(String name, boolean initialize, ClassLoader loader), of the
 * boot class loader.
 */
static jobject JNICALL call_static_object_method(JNIEnv *jni, jclass class, jmethodID method, const jvalue *arguments) {
  calm(jni, "CallStaticObjectMethodA");
  if (strcmp(text_of((jobject)method, "method"), "getSecurityManager") == 0) {
    return NULL;
  }
  expect_text("CallStaticObjectMethodA: the class", text_of(class, "class"), "java/lang/Class");
  expect_text("CallStaticObjectMethodA: the method", text_of((jobject)method, "method"), "forName");
  expect(!arguments[1].z && arguments[2].l == NULL, "Class.forName: not of the boot class loader");
  char name[256];
  snprintf(name, sizeof name, "%s", text_of(arguments[0].l, "string"));
  for (char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot, '.')) {
    *dot = '/';
  }
  return class_named(name);
}

void create_jni(void) {
  memset(threads, 0, sizeof threads);
  trap_all_of_jni(&table, sizeof table);
  table.GetJavaVM = get_java_vm;
  table.FindClass = find_class;
  table.DefineClass = define_class;
  table.RegisterNatives = register_natives;
  table.GetMethodID = get_method_id;
  table.GetStaticMethodID = get_method_id;
  table.NewLocalRef = same_reference;
  table.DeleteLocalRef = forget_reference;
  table.NewGlobalRef = same_reference;
  table.DeleteGlobalRef = forget_reference;
  table.NewWeakGlobalRef = same_reference;
  table.DeleteWeakGlobalRef = forget_reference;
  table.IsSameObject = is_same_object;
  table.EnsureLocalCapacity = push_local_frame;
  table.PushLocalFrame = push_local_frame;
  table.PopLocalFrame = same_reference;
  table.NewByteArray = new_byte_array;
  table.IsAssignableFrom = is_assignable_from;
  table.NewStringUTF = new_string_utf;
  table.GetStringUTFChars = get_string_utf_chars;
  table.ReleaseStringUTFChars = release_string_utf_chars;
  table.ExceptionCheck = exception_check;
  table.ExceptionOccurred = exception_occurred;
  table.ExceptionClear = clear_exception;
  table.CallStaticObjectMethodA = call_static_object_method;
  table.CallStaticVoidMethodA = call_static_void_method;
  for (int i = 0; i < FAKE_THREADS; i++) {
    threads[i].functions = &table;
  }
}
