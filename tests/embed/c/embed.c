/*
 * A program that creates a JVM and has the JvmTools agent inside itself:
 *
 *   embed LIBJVM [JVM OPTION]... -cp CLASS_PATH MAIN_CLASS [ARGUMENT]...
 *
 * It finds libjvm at run time, so that one file serves every JDK.
 */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef jint (*CreateJavaVM)(JavaVM **, void **, void *);

static int fail(const char *what, const char *why) {
  fprintf(stderr, "embed: %s: %s\n", what, why);
  return 2;
}

/* Calls main; what that throws is printed and makes the status 1. */
static int run_main(JNIEnv *jni, char *class_name, int count, char **arguments) {
  for (char *dot = class_name; (dot = strchr(dot, '.')) != NULL;) {
    *dot = '/';
  }
  jclass main_class = (*jni)->FindClass(jni, class_name);
  jmethodID main_method =
      main_class ? (*jni)->GetStaticMethodID(jni, main_class, "main", "([Ljava/lang/String;)V") : NULL;
  jclass strings = main_method ? (*jni)->FindClass(jni, "java/lang/String") : NULL;
  jobjectArray array = strings ? (*jni)->NewObjectArray(jni, count, strings, NULL) : NULL;
  for (int i = 0; array != NULL && i < count; i++) {
    jstring argument = (*jni)->NewStringUTF(jni, arguments[i]);
    if (argument == NULL) {
      break;
    }
    (*jni)->SetObjectArrayElement(jni, array, i, argument);
    (*jni)->DeleteLocalRef(jni, argument);
  }
  if (!(*jni)->ExceptionCheck(jni)) {
    (*jni)->CallStaticVoidMethod(jni, main_class, main_method, array);
  }
  if ((*jni)->ExceptionCheck(jni)) {
    (*jni)->ExceptionDescribe(jni);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    return fail("usage", "embed LIBJVM [JVM OPTION]... -cp CLASS_PATH MAIN_CLASS [ARGUMENT]...");
  }
  JavaVMOption *options = calloc((size_t)argc, sizeof *options);
  if (options == NULL) {
    return fail("options", "no memory");
  }
  int count = 0;
  int next = 2;
  for (; next < argc && argv[next][0] == '-'; next++, count++) {
    options[count].optionString = argv[next];
    if (strcmp(argv[next], "-cp") == 0 && next + 1 < argc) {
      static const char property[] = "-Djava.class.path=";
      const char *class_path = argv[++next];
      char *option = malloc(sizeof property + strlen(class_path));
      if (option == NULL) {
        return fail("-cp", "no memory");
      }
      strcat(strcpy(option, property), class_path);
      options[count].optionString = option;
    }
  }
  if (next == argc) {
    return fail("usage", "no main class");
  }

  void *libjvm = dlopen(argv[1], RTLD_NOW);
  if (libjvm == NULL) {
    return fail(argv[1], dlerror());
  }
  CreateJavaVM create = (CreateJavaVM)dlsym(libjvm, "JNI_CreateJavaVM");
  if (create == NULL) {
    return fail(argv[1], dlerror());
  }
  JavaVMInitArgs init = {JNI_VERSION_1_8, count, options, JNI_FALSE};
  JavaVM *vm;
  JNIEnv *jni;
  if (create(&vm, (void **)&jni, &init) != JNI_OK) {
    return fail(argv[1], "the JVM was not created");
  }
  int status = run_main(jni, argv[next], argc - next - 1, argv + next + 1);
  (*vm)->DestroyJavaVM(vm);
  return status;
}
