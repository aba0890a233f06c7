/*
 * The system call membarrier, as the library makes it: counted, and refused where the case says so, as an old kernel or
 * a sandbox refuses it.
 */
#ifndef BARRIER_H
#define BARRIER_H

#include <stdatomic.h>
#include <stdbool.h>

extern atomic_bool barrier_forbidden;
extern atomic_int barriers_registered;
extern atomic_int barriers_issued;

/* Whether the kernel has what the gate asks for; NULL, or why not. */
const char *barrier_missing(void);

/* Whether the kernel issues one for this process, which only one that has registered is granted. */
bool barrier_granted(void);

#endif
