/*
 * Prints what a C compiler makes of a jvmti.h, one "key<TAB>value" line per fact. Compiled by
 * native/jvmti/tests/abi.rs, once with ONLY_VERSION and once with JDK set to what that printed.
 */
#include <jvmti.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifdef ONLY_VERSION

int main(void) {
    printf("version\t%d\n", (JVMTI_VERSION & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR);
    return 0;
}

#else

typedef struct jvmtiInterface_1_ Table;

#define MEMBER(type, member) (((type *)0)->member)
#define SIZE_OF(type, member) sizeof(MEMBER(type, member))
#define SAME(expression, ...) __builtin_types_compatible_p(__typeof__(expression), __VA_ARGS__)

static void fact(const char *kind, const char *name, long value) {
    printf("%s.%s\t%ld\n", kind, name, value);
}

/* Functions: position in the table, and whether the C type is the one in spec/. */
#define RESERVED_SLOT(name) fact("slot", #name, offsetof(Table, name) / sizeof(void *) + 1);
#define SLOT(name, parameters) \
    RESERVED_SLOT(name) \
    fact("type", #name, SAME(MEMBER(Table, name), jvmtiError (JNICALL *) parameters));

/* Events: position in the callback structure, and the C type. */
#define RESERVED_EVENT(name) \
    fact("event", #name, offsetof(jvmtiEventCallbacks, name) / sizeof(void *) + JVMTI_MIN_EVENT_TYPE_VAL);
#define EVENT(name, parameters) \
    RESERVED_EVENT(name) \
    fact("type", "event." #name, SAME(MEMBER(jvmtiEventCallbacks, name), void (JNICALL *) parameters));

#define STRUCT(name) fact("size", #name, sizeof(name));
#define FIELD(type, member, ctype) \
    fact("offset", #type "." #member, offsetof(type, member)); \
    fact("size", #type "." #member, SIZE_OF(type, member)); \
    fact("type", #type "." #member, SAME(MEMBER(type, member), ctype));

#define CALLBACK_TYPE(name, returns, parameters) \
    fact("size", #name, sizeof(name)); \
    fact("type", #name, SAME(*(name *)0, returns (JNICALL *) parameters));

/* Functions of JNI: position in their table, from 0. */
#define JNI_SLOT(name) fact("jni", #name, offsetof(struct JNINativeInterface_, name) / sizeof(void *));

#define CONSTANT(name) fact("constant", #name, name);

/* The only bit that is set after the field was set. */
static long only_bit(const jvmtiCapabilities *set) {
    const unsigned char *bytes = (const unsigned char *)set;
    long found = -1;
    for (size_t bit = 0; bit < sizeof *set * 8; bit++) {
        if (bytes[bit / 8] >> (bit % 8) & 1) {
            if (found >= 0) {
                return -2;
            }
            found = (long)bit;
        }
    }
    return found;
}

#define CAPABILITY(name) \
    { \
        jvmtiCapabilities set; \
        memset(&set, 0, sizeof set); \
        set.name = 1; \
        fact("capability", #name, only_bit(&set)); \
    }

#include "jni_functions.h"
#include "layout.h"
#include "numbers.h"

int main(void) {
    fact("size", "jvmtiInterface_1_", sizeof(Table));
    fact("size", "jvmtiEventCallbacks", sizeof(jvmtiEventCallbacks));
    fact("size", "jvmtiCapabilities", sizeof(jvmtiCapabilities));
    fact("align", "jvmtiCapabilities", _Alignof(jvmtiCapabilities));
    fact("size", "JNINativeInterface_", sizeof(struct JNINativeInterface_));
    print_slots();
    print_events();
    print_structs();
    print_callback_types();
    print_constants();
    print_capabilities();
    print_jni_functions();
    return 0;
}

#endif
