#include "traps.h"

#include "check.h"

#include <string.h>

typedef void (*Slot)(void);

#define TEN(one, tens) \
  one(tens##0) one(tens##1) one(tens##2) one(tens##3) one(tens##4) one(tens##5) one(tens##6) one(tens##7) one(tens##8) \
      one(tens##9)
#define ALL(one) \
  TEN(one, ) TEN(one, 1) TEN(one, 2) TEN(one, 3) TEN(one, 4) TEN(one, 5) TEN(one, 6) TEN(one, 7) TEN(one, 8) \
      TEN(one, 9) TEN(one, 10) TEN(one, 11) TEN(one, 12) TEN(one, 13) TEN(one, 14) TEN(one, 15) TEN(one, 16) \
          TEN(one, 17) TEN(one, 18) TEN(one, 19) TEN(one, 20) TEN(one, 21) TEN(one, 22) TEN(one, 23)

/* The specification numbers the slots of JVM TI from 1, and those of JNI from 0. */
#define JVMTI_TRAP(index) \
  static void jvmti_##index(void) { fail("JVM TI slot %d was called, which is not expected here", index + 1); }
#define JNI_TRAP(index) \
  static void jni_##index(void) { fail("JNI slot %d was called, which is not expected here", index); }
#define JVMTI_NAME(index) jvmti_##index,
#define JNI_NAME(index) jni_##index,

ALL(JVMTI_TRAP)
ALL(JNI_TRAP)

static const Slot jvmti_traps[] = {ALL(JVMTI_NAME)};
static const Slot jni_traps[] = {ALL(JNI_NAME)};

static void fill(void *table, size_t bytes, const Slot *traps, size_t bytes_of_traps) {
  expect(bytes <= bytes_of_traps, "there are fewer traps than slots");
  memcpy(table, traps, bytes);
}

void trap_all_of_jvmti(void *table, size_t bytes) {
  fill(table, bytes, jvmti_traps, sizeof jvmti_traps);
}

void trap_all_of_jni(void *table, size_t bytes) {
  fill(table, bytes, jni_traps, sizeof jni_traps);
}
