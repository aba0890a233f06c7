#include "barrier.h"

#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

atomic_bool barrier_forbidden;
atomic_int barriers_registered;
atomic_int barriers_issued;

typedef long (*Syscall)(long, ...);

static Syscall libc_syscall(void) {
  static _Atomic(Syscall) found;
  Syscall function = atomic_load(&found);
  if (function == NULL) {
    void *symbol = dlsym(RTLD_NEXT, "syscall");
    expect(symbol != NULL, "the C library has no syscall");
    memcpy(&function, &symbol, sizeof function);
    atomic_store(&found, function);
  }
  return function;
}

/* The library's own calls come here: the executable goes before the C library. */
__attribute__((visibility("default"))) long syscall(long number, ...) {
  va_list list;
  long arguments[6];
  va_start(list, number);
  for (int i = 0; i < 6; i++) {
    arguments[i] = va_arg(list, long);
  }
  va_end(list);
  if (number == SYS_membarrier) {
    if (atomic_load(&barrier_forbidden)) {
      errno = EPERM;
      return -1;
    }
    switch ((int)arguments[0]) {
      case MEMBARRIER_CMD_PRIVATE_EXPEDITED: atomic_fetch_add(&barriers_issued, 1); break;
      case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED: atomic_fetch_add(&barriers_registered, 1); break;
    }
  }
  return libc_syscall()(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

const char *barrier_missing(void) {
  static char why[64];
  long commands = libc_syscall()(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (commands < 0) {
    snprintf(why, sizeof why, "membarrier answers %s", strerror(errno));
    return why;
  }
  long needed = MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
  return (commands & needed) == needed ? NULL : "membarrier has no private expedited barrier";
}

bool barrier_granted(void) {
  return libc_syscall()(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}
