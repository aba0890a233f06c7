/* An agent that claims to be JvmTools of another version. Compiled by OtherVersion, on JDKs without jni.h too. */

typedef const void **JNIEnv;
typedef void *jstring;
typedef jstring (*NewStringUTF)(JNIEnv *, const char *);

enum { NEW_STRING_UTF = 167 }; /* its place in the JNI function table */

int Agent_OnLoad(void *vm, char *options, void *reserved) {
  (void)vm, (void)options, (void)reserved;
  return 0;
}

jstring Java_io_jvmtools_internal_Probe_bind(JNIEnv *env, void *probe, int abi, jstring version) {
  (void)probe, (void)abi, (void)version;
  NewStringUTF new_string = (NewStringUTF)(*env)[NEW_STRING_UTF];
  return new_string(env, "9.9.9 (ABI 99) at /x");
}
